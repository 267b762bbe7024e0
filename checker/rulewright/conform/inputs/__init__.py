"""Test inputs: near misses, perturbed positions, test cases."""
