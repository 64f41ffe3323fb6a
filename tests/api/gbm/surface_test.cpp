// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/api/gbm/fixture.h"

using namespace gbm_test;

TEST_CASE("gbm surface: without frames there is nothing to lock") {
    Device d;
    gbm_surface* const s = gbm_surface_create(d.gbm, 64, 32, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING);
    REQUIRE(s);
    CHECK(gbm_surface_has_free_buffers(s) == 1);
    CHECK_ERRNO(gbm_surface_lock_front_buffer(s), nullptr, EINVAL);
    gbm_bo* const stranger = create(d.gbm);
    gbm_surface_release_buffer(s, stranger);
    gbm_surface_release_buffer(s, nullptr);
    gbm_bo_destroy(stranger);
    gbm_surface_destroy(s);
}

TEST_CASE("gbm surface: invalid surfaces are refused") {
    Device d;
    const uint32_t f = GBM_FORMAT_XRGB8888;
    CHECK_ERRNO(gbm_surface_create(d.gbm, 0, 8, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create(d.gbm, 8, 1 << 20, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create(d.gbm, 8, 8, 0x12345678, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create(d.gbm, 8, 8, f, GBM_BO_USE_PROTECTED), nullptr, EINVAL);
    const uint64_t linear[] = {0}, foreign[] = {0x0123456789abcdef};
    CHECK_ERRNO(gbm_surface_create_with_modifiers(d.gbm, 8, 8, f, nullptr, 1), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create_with_modifiers(d.gbm, 8, 8, f, linear, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create_with_modifiers(d.gbm, 8, 8, f, foreign, 1), nullptr, EINVAL);
    CHECK_ERRNO(gbm_surface_create_with_modifiers2(d.gbm, 8, 8, f, linear, 1, GBM_BO_USE_LINEAR), nullptr,
                EINVAL);
    gbm_surface* const s =
        gbm_surface_create_with_modifiers2(d.gbm, 8, 8, f, linear, 1, GBM_BO_USE_RENDERING);
    REQUIRE(s);
    gbm_surface_destroy(s);
}
