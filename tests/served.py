"""`streamlit run` for tests: what stands behind a page's first picture is sent at once.

A test waits for all of a page, so that a browser which paints the picture first only costs time.
"""

from streamlit.web.cli import main

from serving import first

if __name__ == "__main__":  # a process that the lab starts imports this file
    first.SECONDS = 0.0
    main(prog_name="streamlit")
