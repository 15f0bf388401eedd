// A photo is sent as soon as it is taken; one that is too large is not sent at all.
const form = document.querySelector("[data-photo]");
form?.querySelector("[type=file]").addEventListener("change", (e) => {
  const [file] = e.target.files;
  if (!file) return;
  const large = file.size > Number(form.dataset.most);
  form.querySelector("[data-too-large]").hidden = !large;
  // Emptied, so that the same photo chosen again is a change again.
  if (large) e.target.value = "";
  else form.requestSubmit(form.querySelector("button"));
});
