"""Tools for results of nodia: pictures, videos, the browser viewer, plots, exports and the results of the papers."""
