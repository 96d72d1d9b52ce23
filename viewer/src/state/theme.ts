/** Light or dark: the system's, unless a person chose. Kept only as long as the page, since it must do without storage. */
import { signal } from "@preact/signals";

/** What is chosen. */
export const theme = signal<"system" | "light" | "dark">("system");

/** Whether it is dark now: for what is drawn and does not follow style sheets. */
export const isDark = signal(false);

const system = matchMedia("(prefers-color-scheme: dark)");

/** Follows the choice and the system. */
export function applyTheme(): void {
  const apply = (): void => {
    isDark.value = theme.value === "system" ? system.matches : theme.value === "dark";
    document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
  };
  system.addEventListener("change", apply);
  theme.subscribe(apply);
}
