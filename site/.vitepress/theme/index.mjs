import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { onMounted } from "vue";
import "./style.css";

/** The language of examples that the reader chose last. */
const CHOSEN = "pulumi-platform-language";

/** Shows every example in the chosen language. */
function showChosen() {
  const labels = document.querySelectorAll(`.vp-code-group label[data-title="${localStorage.getItem(CHOSEN)}"]`);
  for (const label of labels) if (!label.control.checked) label.click();
}

export default {
  extends: DefaultTheme,
  setup() {
    onContentUpdated(showChosen);
    onMounted(() =>
      addEventListener("change", ({ target }) => {
        if (!target.matches(".vp-code-group input")) return;
        localStorage.setItem(CHOSEN, target.labels[0].dataset.title);
        showChosen();
      }),
    );
  },
};
