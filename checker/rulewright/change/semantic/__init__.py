"""Whether two specs differ in play: the product of both, the questions, the witnesses."""
