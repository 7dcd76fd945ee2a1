"""`nodia paper`: the results of the papers made again, the printed values beside ours."""
