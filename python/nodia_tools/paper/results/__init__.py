"""One module per result. nodia_tools.paper.registry lists all results."""
