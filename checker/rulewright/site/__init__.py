"""What is published: pages made from specs, verdicts and registries."""
