"""Tree to text: the canonical layout behind `rulewright fmt`, with the author's comments kept."""
