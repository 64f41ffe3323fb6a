// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// terrazzo_gbm.so: Mesa's libgbm opens it where GBM_BACKEND=terrazzo, or where the kernel driver is called so, and calls this one
// function (gbm_backend_abi.h). What it passes, its own helpers, we do not need.
struct gbm_core;
struct gbm_backend;

const struct gbm_backend* terrazzo_gbm_backend(void);

__attribute__((visibility("default"))) const struct gbm_backend* gbmint_get_backend(const struct gbm_core* core);
const struct gbm_backend* gbmint_get_backend(const struct gbm_core* core) {
    (void)core;
    return terrazzo_gbm_backend();
}
