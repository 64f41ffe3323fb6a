// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <cstring>
#include <thread>

#include "tests/api/gbm/fixture.h"

using namespace gbm_test;

namespace {

struct Ended {
    gbm_bo* bo = nullptr;
    int count = 0;
};
void note_end(gbm_bo* bo, void* data) {
    auto* const ended = static_cast<Ended*>(data);
    ended->bo = bo;
    ++ended->count;
}

}  // namespace

TEST_CASE("gbm bo: queries return what was requested") {
    Device d;
    for (const uint32_t usage : {0, int(GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING), int(GBM_BO_USE_LINEAR),
                                 int(GBM_BO_USE_FRONT_RENDERING | GBM_BO_USE_RENDERING)}) {
        CAPTURE(usage);
        gbm_bo* const bo = create(d.gbm, usage);
        CHECK(gbm_bo_get_width(bo) == kWidth);
        CHECK(gbm_bo_get_height(bo) == kHeight);
        CHECK(gbm_bo_get_format(bo) == GBM_FORMAT_XRGB8888);
        CHECK(gbm_bo_get_bpp(bo) == 32);
        CHECK(gbm_bo_get_device(bo) == d.gbm);
        CHECK(gbm_bo_get_plane_count(bo) == 1);
        CHECK(gbm_bo_get_modifier(bo) == 0);  // linear
        CHECK(gbm_bo_get_stride(bo) >= kWidth * 4);
        CHECK(gbm_bo_get_stride(bo) == gbm_bo_get_stride_for_plane(bo, 0));
        CHECK(gbm_bo_get_offset(bo, 0) == 0);
        CHECK(gbm_bo_get_handle(bo).u64 == gbm_bo_get_handle_for_plane(bo, 0).u64);
        const int fd = gbm_bo_get_fd(bo), again = gbm_bo_get_fd_for_plane(bo, 0);
        CHECK(fd >= 0);
        CHECK(again >= 0);
        CHECK(again != fd);
        CHECK(lseek(fd, 0, SEEK_END) >= off_t(gbm_bo_get_stride(bo)) * (kHeight - 1) + kWidth * 4);
        close(fd);
        close(again);
        CHECK_ERRNO(gbm_bo_get_fd_for_plane(bo, 1), -1, EINVAL);
        CHECK_ERRNO(gbm_bo_get_stride_for_plane(bo, 1), 0u, EINVAL);
        CHECK_ERRNO(gbm_bo_get_stride_for_plane(bo, -1), 0u, EINVAL);
        CHECK_ERRNO(gbm_bo_get_handle_for_plane(bo, 3).s32, -1, EINVAL);
        gbm_bo_destroy(bo);
    }
    gbm_bo* const old = create(d.gbm, 0, GBM_BO_FORMAT_ARGB8888);
    CHECK(gbm_bo_get_format(old) == GBM_FORMAT_ARGB8888);
    gbm_bo_destroy(old);
}

TEST_CASE("gbm bo: a node has one handle for a buffer, as long as it lives") {
    Device d;
    gbm_bo* const bo = create(d.gbm);
    const uint32_t handle = gbm_bo_get_handle(bo).u32;
    if (!handle) {  // not a DRM file
        CHECK_ERRNO(gbm_bo_get_handle_for_plane(bo, 0).u32, 0u, ENOTTY);
        gbm_bo_destroy(bo);
        return;
    }
    gbm_import_fd_data data = {gbm_bo_get_fd(bo), kWidth, kHeight, gbm_bo_get_stride(bo),
                               GBM_FORMAT_XRGB8888};
    gbm_bo* const again = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &data, 0);
    REQUIRE(again);
    CHECK(gbm_bo_get_handle(again).u32 == handle);
    gbm_bo_destroy(bo);
    gbm_bo* const third = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &data, 0);
    REQUIRE(third);
    CHECK(gbm_bo_get_handle(third).u32 == handle);
    gbm_bo_destroy(again);
    gbm_bo_destroy(third);
    close(data.fd);
}

TEST_CASE("gbm bo: invalid requests are refused") {
    Device d;
    const uint32_t f = GBM_FORMAT_XRGB8888;
    CHECK_ERRNO(gbm_bo_create(d.gbm, 0, 8, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 8, 0, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 1 << 20, 8, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 8, ~0u, f, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 8, 8, 0x12345678, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 8, 8, GBM_FORMAT_NV12, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create(d.gbm, 8, 8, f, GBM_BO_USE_PROTECTED), nullptr, EINVAL);
    const uint64_t linear[] = {0}, foreign[] = {0x0123456789abcdef}, invalid[] = {0x00ffffffffffffff};
    CHECK_ERRNO(gbm_bo_create_with_modifiers(d.gbm, 8, 8, f, nullptr, 1), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create_with_modifiers(d.gbm, 8, 8, f, linear, 0), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create_with_modifiers2(d.gbm, 8, 8, f, linear, 1, GBM_BO_USE_LINEAR), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_create_with_modifiers(d.gbm, 8, 8, f, foreign, 1), nullptr, EINVAL);
    for (const uint64_t* list : {linear, invalid}) {
        gbm_bo* const bo = gbm_bo_create_with_modifiers2(d.gbm, 8, 8, f, list, 1, GBM_BO_USE_RENDERING);
        REQUIRE(bo);
        CHECK(gbm_bo_get_modifier(bo) == 0);
        gbm_bo_destroy(bo);
    }
}

TEST_CASE("gbm bo: new ones are zero, and keep written data") {
    Device d;
    for (const uint32_t usage :
         {int(GBM_BO_USE_RENDERING), int(GBM_BO_USE_LINEAR), int(GBM_BO_USE_SCANOUT)}) {
        gbm_bo* const bo = create(d.gbm, usage);
        for (const uint32_t pixel : read(bo, 0, 0, kWidth, kHeight))
            CHECK(pixel == 0);
        fill(bo);
        CHECK(is_filled(bo));
        const std::vector<uint32_t> part = read(bo, 3, 5, 2, 2);
        CHECK(part == std::vector<uint32_t>{pattern(3, 5), pattern(4, 5), pattern(3, 6), pattern(4, 6)});
        gbm_bo_destroy(bo);
    }
}

TEST_CASE("gbm bo: maps of tiled buffers are linear") {
    Device d;
    const uint64_t interleaved = 0x0810000000000001, tiled = 0x0500000000000003,
                   compressed = 0x0500000000000001;
    for (const uint64_t modifier : {interleaved, tiled, compressed}) {
        if (gbm_device_get_format_modifier_plane_count(d.gbm, GBM_FORMAT_XRGB8888, modifier) < 1) continue;
        CAPTURE(modifier);
        gbm_bo* const bo = gbm_bo_create_with_modifiers2(d.gbm, 70, 50, GBM_FORMAT_XRGB8888, &modifier, 1,
                                                         GBM_BO_USE_RENDERING);
        REQUIRE(bo);
        CHECK(gbm_bo_get_modifier(bo) == modifier);
        fill(bo);
        CHECK(is_filled(bo));
        gbm_bo_destroy(bo);
    }
}

TEST_CASE("gbm bo: boxes outside of it are refused") {
    Device d;
    gbm_bo* const bo = create(d.gbm);
    uint32_t stride = 0;
    void* map_data = nullptr;
    const auto map = [&](uint32_t x, uint32_t y, uint32_t w, uint32_t h, uint32_t flags) {
        return gbm_bo_map(bo, x, y, w, h, flags, &stride, &map_data);
    };
    CHECK_ERRNO(map(0, 0, 0, 1, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(0, 0, 1, 0, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(0, 0, kWidth + 1, 1, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(kWidth, 0, 1, 1, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(1, 0, ~0u, 1, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(0, kHeight - 1, 1, 2, GBM_BO_TRANSFER_READ), nullptr, EINVAL);
    CHECK_ERRNO(map(0, 0, 1, 1, 0), nullptr, EINVAL);
    CHECK_ERRNO(map(0, 0, 1, 1, 4), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_map(bo, 0, 0, 1, 1, GBM_BO_TRANSFER_READ, nullptr, &map_data), nullptr, EINVAL);
    CHECK_ERRNO(gbm_bo_map(bo, 0, 0, 1, 1, GBM_BO_TRANSFER_READ, &stride, nullptr), nullptr, EINVAL);
    gbm_bo_unmap(bo, nullptr);
    gbm_bo_unmap(bo, &stride);
    // Maps that still exist at its end are unmapped.
    REQUIRE(map(0, 0, kWidth, kHeight, GBM_BO_TRANSFER_READ_WRITE));
    void* const other = map_data;
    REQUIRE(map(1, 1, 2, 2, GBM_BO_TRANSFER_READ));
    CHECK(map_data != other);
    gbm_bo_destroy(bo);
}

TEST_CASE("gbm bo: writes") {
    Device d;
    gbm_bo* const bo = create(d.gbm, GBM_BO_USE_WRITE | GBM_BO_USE_CURSOR, GBM_FORMAT_ARGB8888);
    const uint32_t stride = gbm_bo_get_stride(bo);
    std::vector<uint8_t> bytes(size_t(stride) * kHeight);
    for (uint32_t y = 0; y < kHeight; ++y)
        for (uint32_t x = 0; x < kWidth; ++x) {
            const uint32_t pixel = pattern(x, y);
            std::memcpy(&bytes[size_t(y) * stride + x * 4], &pixel, 4);
        }
    CHECK(gbm_bo_write(bo, bytes.data(), bytes.size()) == 0);
    CHECK(is_filled(bo));
    // The first two rows and a pixel.
    std::vector<uint8_t> zeros(stride * 2 + 4);
    CHECK(gbm_bo_write(bo, zeros.data(), zeros.size()) == 0);
    CHECK(read(bo, 0, 1, 2, 2) == std::vector<uint32_t>{0, 0, 0, pattern(1, 2)});
    CHECK_ERRNO(gbm_bo_write(bo, bytes.data(), size_t(stride) * kHeight + 1), -1, EINVAL);
    CHECK_ERRNO(gbm_bo_write(bo, nullptr, 4), -1, EINVAL);
    gbm_bo_destroy(bo);
    gbm_bo* const other = create(d.gbm);
    CHECK_ERRNO(gbm_bo_write(other, bytes.data(), 4), -1, EINVAL);
    gbm_bo_destroy(other);
}

TEST_CASE("gbm bo: user data") {
    Device d;
    Ended ended;
    gbm_bo* const bo = create(d.gbm);
    CHECK(gbm_bo_get_user_data(bo) == nullptr);
    gbm_bo_set_user_data(bo, &ended, note_end);
    CHECK(gbm_bo_get_user_data(bo) == &ended);
    gbm_bo_destroy(bo);
    CHECK(ended.bo == bo);
    CHECK(ended.count == 1);
    gbm_bo* const plain = create(d.gbm);
    gbm_bo_set_user_data(plain, &ended, nullptr);
    gbm_bo_destroy(plain);
    CHECK(ended.count == 1);
}

TEST_CASE("gbm bo: threads map and unmap at the same time") {
    Device d;
    std::vector<std::thread> threads;
    std::vector<int> good(4);
    for (size_t t = 0; t < good.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 20; ++i) {
                gbm_bo* const bo = gbm_bo_create(d.gbm, 32, 32, GBM_FORMAT_ARGB8888, GBM_BO_USE_RENDERING);
                if (!bo) return;
                fill(bo);
                good[t] += is_filled(bo);
                gbm_bo_destroy(bo);
            }
        });
    for (std::thread& t : threads)
        t.join();
    for (const int n : good)
        CHECK(n == 20);
}
