"""What is measured, one file per question: `measure(lab)` gives plain values, `pages(values)` the text about them."""
