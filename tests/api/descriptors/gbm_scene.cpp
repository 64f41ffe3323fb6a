// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Too few descriptors for GBM: a device, and buffers that are exported, imported and written.
#include <cerrno>
#include <cstring>
#include <utility>

#include "tests/api/descriptors/starve.h"
#include "tests/api/gbm/fixture.h"

namespace {

std::string errno_error() {
    return errno ? std::strerror(std::exchange(errno, 0)) : "";
}

struct Scene {
    starve::Hunger& hunger;
    int node;
    void call(const char* what, const std::function<bool()>& run) {
        errno = 0;
        hunger.call(what, run, errno_error);
    }
    void all();
};

void Scene::all() {
    gbm_device* device = nullptr;
    call("gbm_create_device", [&] { return (device = gbm_create_device(node)) != nullptr; });
    gbm_bo *bo = nullptr, *imported = nullptr;
    call("gbm_bo_create", [&] {
        return (bo = gbm_bo_create(device, 64, 64, GBM_FORMAT_XRGB8888,
                                   GBM_BO_USE_RENDERING | GBM_BO_USE_LINEAR)) != nullptr;
    });
    uint32_t stride = 0;
    void *map_data = nullptr, *pixels = nullptr;
    const auto map = [&](gbm_bo* of, uint32_t flags) {
        map_data = nullptr;
        return (pixels = gbm_bo_map(of, 0, 0, 64, 64, flags, &stride, &map_data)) != nullptr;
    };
    call("gbm_bo_map", [&] { return map(bo, GBM_BO_TRANSFER_WRITE); });
    std::memset(pixels, 0x5a, size_t(stride) * 64);
    gbm_bo_unmap(bo, map_data);
    int fd = -1;
    call("gbm_bo_get_fd", [&] { return (fd = gbm_bo_get_fd(bo)) >= 0; });
    gbm_import_fd_modifier_data data{};
    data.width = data.height = 64;
    data.format = GBM_FORMAT_XRGB8888;
    data.num_fds = 1;
    data.fds[0] = fd;
    data.strides[0] = int(gbm_bo_get_stride(bo));
    data.modifier = gbm_bo_get_modifier(bo);
    call("gbm_bo_import", [&] {
        return (imported = gbm_bo_import(device, GBM_BO_IMPORT_FD_MODIFIER, &data, GBM_BO_USE_RENDERING)) !=
               nullptr;
    });
    close(fd);
    call("gbm_bo_map of the imported one", [&] { return map(imported, GBM_BO_TRANSFER_READ); });
    if (*static_cast<uint8_t*>(pixels) != 0x5a) starve::Hunger::fail("the import", "has other pixels");
    gbm_bo_unmap(imported, map_data);
    gbm_surface* surface = nullptr;
    call("gbm_surface_create", [&] {
        return (surface = gbm_surface_create(device, 64, 64, GBM_FORMAT_XRGB8888, GBM_BO_USE_RENDERING)) !=
               nullptr;
    });
    gbm_surface_destroy(surface);
    gbm_bo_destroy(imported);
    gbm_bo_destroy(bo);
    gbm_device_destroy(device);
}

}  // namespace

TEST_CASE("few descriptors: GBM") {
    const int status = starve::for_each_limit([] {},
                                              [](starve::Hunger& hunger) {
                                                  const int node = gbm_test::open_node();
                                                  hunger.begin();
                                                  Scene{hunger, node}.all();
                                                  close(node);
                                              },
                                              {});
    CHECK(status == 0);
}
