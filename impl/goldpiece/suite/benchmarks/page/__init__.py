"""One self-contained page about a comparison or about saved runs: tables that say everything, and figures beside them.

The figures are Matplotlib's, as SVG inside the page: they need no script and no network, stay sharp, and take the
colours of the page. (Vega-Altair and Plotly draw in the reader's browser, by megabytes of script that each page would
have to hold, and show nothing where scripts are off.) The page around them is a template of Jinja.
"""
