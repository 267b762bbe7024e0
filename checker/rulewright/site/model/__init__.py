"""All that pages are made from: the spec, its evidence, verdicts and witnesses."""
