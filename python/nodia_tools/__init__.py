"""Pictures, videos, the browser viewer and the plots of nodia's results."""
