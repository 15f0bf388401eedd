def standings_pdf(event):
    return b""
