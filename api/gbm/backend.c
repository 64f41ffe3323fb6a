// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// terrazzo_gbm.so: Mesa's libgbm opens it if GBM_BACKEND=terrazzo, or if the kernel driver has that name, and
// calls this function (gbm_backend_abi.h). Its argument, libgbm's helpers, is not needed.
struct gbm_core;
struct gbm_backend;

const struct gbm_backend* terrazzo_gbm_backend(void);

__attribute__((visibility("default"))) const struct gbm_backend* gbmint_get_backend(
    const struct gbm_core* core);
const struct gbm_backend* gbmint_get_backend(const struct gbm_core* core) {
    (void)core;
    return terrazzo_gbm_backend();
}
