"""`nodia paper`: reproduces the results of the papers, and compares them with the printed values."""
