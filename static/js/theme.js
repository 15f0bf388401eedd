// Runs before the first paint: the reader's theme, also on cached pages, and "scripts are here".
{
  const root = document.documentElement;
  const theme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  if (theme) root.dataset.theme = theme;
  root.classList.add("js");
}
