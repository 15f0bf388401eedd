// The weekday under a date field follows what is typed.
const { lang } = document.documentElement;
// British for "en": the day stands before the month, as everywhere else on our pages.
const words = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
for (const hint of document.querySelectorAll("[data-moment]")) {
  const field = document.getElementById(hint.dataset.moment);
  const show = () => {
    // Without a zone in it this is read as local time and told as such: the hour that was typed.
    const moment = new Date(field.value);
    hint.textContent = Number.isNaN(moment.getTime()) ? "" : words.format(moment);
  };
  field.addEventListener("input", show);
  // A field that the browser filled again after going back.
  addEventListener("pageshow", () => field.value !== field.defaultValue && show());
}
