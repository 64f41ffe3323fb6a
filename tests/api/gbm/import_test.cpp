// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <vector>

#include "tests/api/gbm/fixture.h"

using namespace gbm_test;

namespace {

/// The description of a bo for an import. The caller owns the descriptor.
gbm_import_fd_modifier_data describe(gbm_bo* bo) {
    gbm_import_fd_modifier_data d{};
    d.width = gbm_bo_get_width(bo), d.height = gbm_bo_get_height(bo);
    d.format = gbm_bo_get_format(bo);
    d.num_fds = 1;
    d.fds[0] = gbm_bo_get_fd(bo);
    d.strides[0] = int(gbm_bo_get_stride(bo));
    d.modifier = gbm_bo_get_modifier(bo);
    REQUIRE(d.fds[0] >= 0);
    return d;
}

}  // namespace

TEST_CASE("gbm import: another device sees the same pixels") {
    Device first, second;
    gbm_bo* const bo = create(first.gbm);
    fill(bo);
    gbm_import_fd_modifier_data d = describe(bo);
    gbm_bo* const read_only = gbm_bo_import(second.gbm, GBM_BO_IMPORT_FD_MODIFIER, &d, GBM_BO_USE_SCANOUT);
    gbm_bo* const drawn = gbm_bo_import(second.gbm, GBM_BO_IMPORT_FD_MODIFIER, &d, GBM_BO_USE_RENDERING);
    close(d.fds[0]);
    REQUIRE(read_only);
    REQUIRE(drawn);
    CHECK(gbm_bo_get_device(drawn) == second.gbm);
    CHECK(gbm_bo_get_stride(drawn) == gbm_bo_get_stride(bo));
    CHECK(gbm_bo_get_modifier(drawn) == gbm_bo_get_modifier(bo));
    CHECK(is_filled(read_only));
    CHECK(is_filled(drawn));
    gbm_bo_destroy(bo);
    CHECK(is_filled(drawn));
    gbm_bo_destroy(read_only);
    gbm_bo_destroy(drawn);
}

TEST_CASE("gbm import: a picture with two planes") {
    Device d;
    // 32 rows of luma and 16 of chroma, each 256 bytes.
    gbm_bo* const memory = gbm_bo_create(d.gbm, 64, 48, GBM_FORMAT_XRGB8888, GBM_BO_USE_LINEAR);
    REQUIRE(memory);
    const int stride = int(gbm_bo_get_stride(memory));
    const int fd = gbm_bo_get_fd(memory);
    gbm_import_fd_modifier_data nv12{};
    nv12.width = 64, nv12.height = 32;
    nv12.format = GBM_FORMAT_NV12;
    nv12.num_fds = 2;
    for (int i = 0; i < 2; ++i)
        nv12.fds[i] = fd, nv12.strides[i] = stride, nv12.offsets[i] = i * 32 * stride;
    gbm_bo* const bo = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD_MODIFIER, &nv12, GBM_BO_USE_SCANOUT);
    REQUIRE(bo);
    CHECK(gbm_bo_get_plane_count(bo) == 2);
    CHECK(gbm_bo_get_offset(bo, 1) == uint32_t(32 * stride));
    CHECK(gbm_bo_get_stride_for_plane(bo, 1) == uint32_t(stride));
    CHECK(gbm_bo_get_handle_for_plane(bo, 1).u32 == gbm_bo_get_handle(bo).u32);
    CHECK(gbm_bo_get_bpp(bo) == 0);
    const int plane = gbm_bo_get_fd_for_plane(bo, 1);
    CHECK(plane >= 0);
    close(plane);
    uint32_t mapped = 0;
    void* map_data = nullptr;
    CHECK_ERRNO(gbm_bo_map(bo, 0, 0, 1, 1, GBM_BO_TRANSFER_READ, &mapped, &map_data), nullptr, EINVAL);
    gbm_bo_destroy(bo);
    nv12.num_fds = 1;
    CHECK_ERRNO(gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD_MODIFIER, &nv12, 0), nullptr, EINVAL);
    close(fd);
    gbm_bo_destroy(memory);
}

TEST_CASE("gbm import: imports that break a rule are refused") {
    Device d;
    gbm_bo* const bo = create(d.gbm);
    const gbm_import_fd_modifier_data good = describe(bo);
    const size_t before = count_fds();
    const auto refused = [&](auto&& spoil) {
        gbm_import_fd_modifier_data bad = good;
        spoil(bad);
        gbm_bo* const imported = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD_MODIFIER, &bad, GBM_BO_USE_RENDERING);
        if (imported) gbm_bo_destroy(imported);
        return imported == nullptr;
    };
    using Data = gbm_import_fd_modifier_data;
    CHECK(!gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD_MODIFIER, nullptr, 0));
    CHECK_ERRNO(gbm_bo_import(d.gbm, GBM_BO_IMPORT_WL_BUFFER, bo, 0), nullptr, ENOSYS);
    CHECK_ERRNO(gbm_bo_import(d.gbm, 0x1234, bo, 0), nullptr, ENOSYS);
    CHECK_ERRNO(gbm_bo_import(d.gbm, GBM_BO_IMPORT_EGL_IMAGE, bo, 0), nullptr, EINVAL);
    CHECK(refused([](Data& x) { x.fds[0] = -1; }));
    CHECK(refused([](Data& x) { x.fds[0] = 9999; }));
    CHECK(refused([](Data& x) { x.num_fds = 0; }));
    CHECK(refused([](Data& x) { x.num_fds = 2; }));
    CHECK(refused([](Data& x) { x.num_fds = ~0u; }));
    CHECK(refused([](Data& x) { x.width = 0; }));
    CHECK(refused([](Data& x) { x.height = ~0u; }));
    CHECK(refused([](Data& x) { x.height = 4000; }));
    CHECK(refused([](Data& x) { x.strides[0] = 0; }));
    CHECK(refused([](Data& x) { x.strides[0] = -64; }));
    CHECK(refused([](Data& x) { x.strides[0] = 0x7fffffff; }));
    CHECK(refused([](Data& x) { x.strides[0] = kWidth * 4 - 4; }));
    CHECK(refused([](Data& x) { x.offsets[0] = -64; }));
    CHECK(refused([](Data& x) { x.offsets[0] = 0x7fffffc0; }));
    CHECK(refused([](Data& x) { x.modifier = 0x0123456789abcdef; }));
    CHECK(refused([](Data& x) { x.format = 0x12345678; }));
    CHECK(!refused([](Data&) {}));
    const int file = memfd_create("not sealed", MFD_CLOEXEC);
    REQUIRE(file >= 0);
    REQUIRE(ftruncate(file, 1 << 20) == 0);
    CHECK(refused([&](Data& x) { x.fds[0] = file; }));
    close(file);
    CHECK(count_fds() == before);
    close(good.fds[0]);
    gbm_bo_destroy(bo);
}

TEST_CASE("gbm import: a hundred thousand random descriptions") {
    Device d;
    gbm_bo* const bo = create(d.gbm);
    const gbm_import_fd_modifier_data good = describe(bo);
    std::mt19937 random(15);
    const auto some = [&](auto normal) {
        const uint32_t edges[] = {0, 1, 4, 63, 64, 0x7fffffff, 0x80000000, ~0u, uint32_t(random())};
        return random() % 2 ? normal : decltype(normal)(edges[random() % std::size(edges)]);
    };
    const uint32_t formats[] = {
        GBM_FORMAT_XRGB8888, GBM_FORMAT_R8, GBM_FORMAT_NV12, GBM_FORMAT_YUV420, GBM_FORMAT_ABGR16161616F, 0};
    const size_t before = count_fds();
    int imported = 0;
    for (int i = 0; i < 100'000; ++i) {
        gbm_import_fd_modifier_data x = good;
        x.width = some(x.width), x.height = some(x.height);
        if (random() % 2) x.format = formats[random() % std::size(formats)];
        x.num_fds = some(x.num_fds);
        for (int p = 0; p < GBM_MAX_PLANES; ++p) {
            x.fds[p] = random() % 8 ? good.fds[0] : int(random() % 64) - 1;
            x.strides[p] = some(good.strides[0]);
            x.offsets[p] = some(0);
        }
        if (random() % 4 == 0)
            x.modifier = random() % 2 ? 0x0810000000000001 : uint64_t(random()) << 32 | random();
        gbm_import_fd_data old = {x.fds[0], x.width, x.height, uint32_t(x.strides[0]), x.format};
        const bool with_modifier = random() % 2;
        gbm_bo* const got = with_modifier ? gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD_MODIFIER, &x, random() % 32)
                                          : gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &old, random() % 32);
        if (!got) continue;
        ++imported;
        if (gbm_bo_get_plane_count(got) == 1 && gbm_bo_get_width(got) < 256 && gbm_bo_get_height(got) < 256) {
            uint32_t stride = 0;
            void* map_data = nullptr;
            if (gbm_bo_map(got, 0, 0, gbm_bo_get_width(got), gbm_bo_get_height(got), GBM_BO_TRANSFER_READ,
                           &stride, &map_data))
                gbm_bo_unmap(got, map_data);
        }
        gbm_bo_destroy(got);
    }
    MESSAGE(imported, " were good");
    CHECK(imported > 100);
    CHECK(imported < 50'000);
    CHECK(count_fds() == before);
    close(good.fds[0]);
    gbm_bo_destroy(bo);
}

TEST_CASE("gbm import: sealed memory can be read, but not mapped for writing") {
    Device d;
    constexpr uint32_t kSize = 16, kStride_B = kSize * 4;
    const int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(fd >= 0);
    const std::vector<uint32_t> pixels(kSize * kSize, 0x11223344);
    REQUIRE(write(fd, pixels.data(), pixels.size() * 4) == ssize_t(pixels.size() * 4));
    REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0);
    gbm_import_fd_data data{};
    data.fd = fd;
    data.width = data.height = kSize;
    data.stride = kStride_B;
    data.format = GBM_FORMAT_ARGB8888;
    CHECK(!gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &data, GBM_BO_USE_RENDERING));
    gbm_bo* const bo = gbm_bo_import(d.gbm, GBM_BO_IMPORT_FD, &data, GBM_BO_USE_WRITE);
    close(fd);
    if (!bo) return;  // a virtual GPU cannot import it at all
    uint32_t stride = 0;
    void* cookie = nullptr;
    errno = 0;
    CHECK(!gbm_bo_map(bo, 0, 0, kSize, kSize, GBM_BO_TRANSFER_WRITE, &stride, &cookie));
    CHECK(errno == EPERM);
    CHECK(gbm_bo_write(bo, pixels.data(), kStride_B) == -1);
    const auto* const read = static_cast<const uint32_t*>(
        gbm_bo_map(bo, 0, 0, kSize, kSize, GBM_BO_TRANSFER_READ, &stride, &cookie));
    REQUIRE(read);
    CHECK(read[0] == 0x11223344);
    gbm_bo_unmap(bo, cookie);
    gbm_bo_destroy(bo);
}
