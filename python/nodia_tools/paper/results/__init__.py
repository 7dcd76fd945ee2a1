"""One module a result; nodia_tools.paper.registry has the table of all."""
