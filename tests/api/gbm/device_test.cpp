// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <string>

#include "tests/api/gbm/fixture.h"

using namespace gbm_test;

TEST_CASE("gbm device: its properties") {
    Device d;
    CHECK(gbm_device_get_fd(d.gbm) == d.fd);
    CHECK(gbm_device_get_backend_name(d.gbm) == std::string("terrazzo"));
}

TEST_CASE("gbm device: files that are no DRM files are refused") {
    CHECK_ERRNO(gbm_create_device(-1), nullptr, EINVAL);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    CHECK_ERRNO(gbm_create_device(ends[0]), nullptr, EINVAL);
    close(ends[0]);
    CHECK_ERRNO(gbm_create_device(ends[0]), nullptr, EINVAL);
    close(ends[1]);
}

TEST_CASE("gbm device: formats") {
    Device d;
    const auto supported = [&](uint32_t f, uint32_t usage) {
        return gbm_device_is_format_supported(d.gbm, f, usage);
    };
    for (const uint32_t f : {GBM_FORMAT_XRGB8888, GBM_FORMAT_ARGB8888, GBM_FORMAT_ABGR8888, GBM_FORMAT_RGB565,
                             uint32_t(GBM_BO_FORMAT_XRGB8888), uint32_t(GBM_BO_FORMAT_ARGB8888)}) {
        CAPTURE(f);
        CHECK(supported(f, GBM_BO_USE_RENDERING) == 1);
        CHECK(supported(f, GBM_BO_USE_SCANOUT | GBM_BO_USE_LINEAR) == 1);
    }
    for (const uint32_t f : {GBM_FORMAT_YUYV, GBM_FORMAT_C8, 0x12345678u, ~0u})
        CHECK(supported(f, 0) == 0);
    const auto planes = [&](uint32_t f, uint64_t m) {
        return gbm_device_get_format_modifier_plane_count(d.gbm, f, m);
    };
    CHECK(planes(GBM_FORMAT_XRGB8888, 0) == 1);
    CHECK(planes(GBM_FORMAT_NV12, 0) == 2);
    CHECK(planes(GBM_FORMAT_YUV420, 0) == 3);
    CHECK(planes(GBM_FORMAT_XRGB8888, 0x1234) == -1);
    CHECK(planes(0x12345678, 0) == -1);
}

TEST_CASE("gbm device: names of formats") {
    gbm_format_name_desc name;
    CHECK(gbm_format_get_name(GBM_FORMAT_XRGB8888, &name) == std::string("XR24"));
    CHECK(gbm_format_get_name(GBM_BO_FORMAT_ARGB8888, &name) == std::string("AR24"));
    CHECK(gbm_format_get_name(GBM_FORMAT_R8, &name) == std::string("R8  "));
}

TEST_CASE("gbm device: two devices of one file have the same buffers") {
    Device first;
    gbm_device* const second = gbm_create_device(first.fd);
    REQUIRE(second);
    gbm_bo* const bo = create(first.gbm);
    fill(bo);
    gbm_import_fd_data data = {gbm_bo_get_fd(bo), kWidth, kHeight, gbm_bo_get_stride(bo),
                               GBM_FORMAT_XRGB8888};
    gbm_bo* const same = gbm_bo_import(second, GBM_BO_IMPORT_FD, &data, 0);
    close(data.fd);
    REQUIRE(same);
    CHECK(gbm_bo_get_handle(same).u32 == gbm_bo_get_handle(bo).u32);
    gbm_bo_destroy(bo);
    CHECK(is_filled(same));
    gbm_bo_destroy(same);
    gbm_device_destroy(second);
}

TEST_CASE("gbm device: everything is released") {
    { Device warm; }
    const size_t before = count_fds();
    for (int i = 0; i < 5; ++i) {
        Device d;
        gbm_bo* const bo = create(d.gbm);
        fill(bo);
        gbm_surface* const s = gbm_surface_create(d.gbm, 64, 64, GBM_FORMAT_XRGB8888, GBM_BO_USE_RENDERING);
        REQUIRE(s);
        gbm_surface_destroy(s);
        gbm_bo_destroy(bo);
    }
    CHECK(count_fds() == before);
}
