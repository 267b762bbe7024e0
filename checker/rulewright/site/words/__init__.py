"""Sentences and links: rules, events and expectations in words."""
