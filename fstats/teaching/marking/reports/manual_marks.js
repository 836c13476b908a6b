document.getElementById("save").addEventListener("click", () => {
  const cell = text => '"' + (/^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? "'" : "") + text.replace(/([;\n][ "]*)([=+\-@])/g, "$1'$2").replaceAll('"', '""') + '"';
  const heads = ["exercise", "student", "name", "place", "of", "points", "comment", "answer", "model answer", "for"];
  const lines = [...document.querySelectorAll(".answer")].map(one => {
    const field = name => one.querySelector(`[name=${name}]`).value;
    const data = one.dataset;
    return [data.exercise, data.student, data.name, data.place, data.of, field("points"), field("comment"), "", "", data.for];
  });
  const text = "\ufeff" + [heads, ...lines].map(line => line.map(cell).join(",")).join("\r\n") + "\r\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
  link.download = "by_hand.csv";
  link.click();
});
