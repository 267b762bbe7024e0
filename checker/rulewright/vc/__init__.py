"""Verification conditions: what each obligation of the kernel says, written down as a question.

Builds questions and nothing else: each says what *unsatisfiable* means. Trusted like the encoder
below it: what stands here wrong is proved wrong.
"""
