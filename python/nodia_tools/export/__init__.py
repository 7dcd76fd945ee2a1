"""nodia export: a dataset of `nodia generate` in the formats of learners, without torch."""
