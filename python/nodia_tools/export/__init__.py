"""nodia export: converts a dataset of `nodia generate` to formats of learning libraries, without torch."""
