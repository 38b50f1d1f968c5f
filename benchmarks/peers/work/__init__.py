"""The measurements, one file each: `measure(lab)` returns values for JSON, `pages(values)` the text of the page."""
