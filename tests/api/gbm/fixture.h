// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A gbm_device on a fake card, on the node of GBM_TEST_NODE, or on the shim's node. If TERRAZZO_DEVICE
// chooses the device, any character device will do. The tests use only gbm.h, so that they also run with
// Mesa's libgbm and Terrazzo as its backend.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <gbm.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace gbm_test {

/// True in the test program with a fake card (fake_card.cpp).
extern "C" __attribute__((weak)) int open_fake_card();

inline int open_node() {
    if (open_fake_card) return open_fake_card();
    if (const char* node = std::getenv("GBM_TEST_NODE")) return open(node, O_RDWR | O_CLOEXEC);
    const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    return fd >= 0 ? fd : open("/dev/null", O_RDWR | O_CLOEXEC);
}

/// The number of open descriptors of this process, without those that the virtual kernel closes later: ends
/// of pipes, by which it notices that all copies of a sync file are closed.
inline size_t count_fds() {
    size_t n = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        pollfd p{std::stoi(entry.path().filename()), 0, 0};
        n += poll(&p, 1, 0) <= 0 || !(p.revents & POLLERR);
    }
    return n;
}

struct Device {
    int fd = open_node();
    gbm_device* gbm = gbm_create_device(fd);
    Device() { REQUIRE(gbm); }
    ~Device() {
        gbm_device_destroy(gbm);
        close(fd);
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
};

constexpr uint32_t kWidth = 21, kHeight = 13;

inline gbm_bo* create(gbm_device* device, uint32_t usage = GBM_BO_USE_RENDERING,
                      uint32_t format = GBM_FORMAT_XRGB8888) {
    gbm_bo* const bo = gbm_bo_create(device, kWidth, kHeight, format, usage);
    REQUIRE(bo);
    return bo;
}

/// The pixels of 32 bits of a box, row by row.
inline std::vector<uint32_t> read(gbm_bo* bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    uint32_t stride = 0;
    void* map_data = nullptr;
    auto* const p = static_cast<const uint8_t*>(
        gbm_bo_map(bo, x, y, width, height, GBM_BO_TRANSFER_READ, &stride, &map_data));
    REQUIRE(p);
    std::vector<uint32_t> out(size_t(width) * height);
    for (uint32_t row = 0; row < height; ++row)
        std::memcpy(&out[size_t(row) * width], p + size_t(row) * stride, size_t(width) * 4);
    gbm_bo_unmap(bo, map_data);
    return out;
}

/// Each pixel has its position as its value.
constexpr uint32_t pattern(uint32_t x, uint32_t y) {
    return 0xff000000 | x << 12 | y;
}

inline void fill(gbm_bo* bo) {
    uint32_t stride = 0;
    void* map_data = nullptr;
    const uint32_t width = gbm_bo_get_width(bo), height = gbm_bo_get_height(bo);
    auto* const p =
        static_cast<uint8_t*>(gbm_bo_map(bo, 0, 0, width, height, GBM_BO_TRANSFER_WRITE, &stride, &map_data));
    REQUIRE(p);
    CHECK(stride >= width * 4);
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            reinterpret_cast<uint32_t*>(p + size_t(y) * stride)[x] = pattern(x, y);
    gbm_bo_unmap(bo, map_data);
}

inline bool is_filled(gbm_bo* bo) {
    const uint32_t width = gbm_bo_get_width(bo), height = gbm_bo_get_height(bo);
    const std::vector<uint32_t> pixels = read(bo, 0, 0, width, height);
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
            if (pixels[y * width + x] != pattern(x, y)) return false;
    return true;
}

}  // namespace gbm_test

/// A call that must fail with that errno.
#define CHECK_ERRNO(call, failed, code) \
    do {                                \
        errno = 0;                      \
        CHECK((call) == (failed));      \
        CHECK(errno == (code));         \
    } while (0)
