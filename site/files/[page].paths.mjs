import { filesPages } from "../pages.ts";

export default { paths: () => filesPages().map(({ page, content }) => ({ params: { page }, content })) };
