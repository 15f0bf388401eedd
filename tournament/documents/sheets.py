MAX_SHEETS = 100


def sheets_pdf(sheets):
    return b""
