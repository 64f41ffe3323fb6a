// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program under the shim, on noop:agx-g13g: it uses libdrm and system calls only. The argument is the
// interface that it expects: current or older (TERRAZZO_SHIM_INTERFACE).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "winsys/uapi/asahi.h"
#include "winsys/uapi/asahi_downstream.h"

namespace {

namespace old = terrazzo::uapi::asahi_downstream;
using namespace terrazzo::uapi;

int failures = 0;
void check(bool good, const char* what) {
    if (good) return;
    failures++;
    std::fprintf(stderr, "not so: %s\n", what);
}
#define CHECK(condition) check(condition, #condition)

constexpr uint64_t kKernelStart = uint64_t(1) << 36, kKernelEnd = uint64_t(1) << 37, kVa = uint64_t(1) << 32;

template <typename T>
bool call(int fd, unsigned long request, T* args) {
    return drmIoctl(fd, request, args) == 0;
}

bool done(int fd, uint32_t syncobj) {
    return drmSyncobjWait(fd, &syncobj, 1, INT64_MAX, 0, nullptr) == 0;
}

void test_current(int fd) {
    drm_asahi_params_global p{};
    drm_asahi_get_params get{0, 0, reinterpret_cast<uintptr_t>(&p), sizeof p};
    CHECK(call(fd, kAsahiGetParams, &get));
    CHECK(p.chip_id == 0x8103);
    drm_asahi_vm_create vm{kKernelStart, kKernelEnd, 0, 0};
    drm_asahi_gem_create bo{16384, kAsahiGemWriteback, 0, 0, 0};
    CHECK(call(fd, kAsahiVmCreate, &vm) && call(fd, kAsahiGemCreate, &bo));
    drm_asahi_gem_mmap_offset offset{bo.handle, 0, 0};
    CHECK(call(fd, kAsahiGemMmapOffset, &offset));
    void* const p_bo =
        mmap(nullptr, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(offset.offset));
    CHECK(p_bo != MAP_FAILED);
    if (p_bo != MAP_FAILED) munmap(p_bo, 16384);
    drm_asahi_gem_bind_op op{kAsahiBindRead, bo.handle, 0, 16384, kVa};
    drm_asahi_vm_bind bind{vm.vm_id, 1, sizeof op, 0, reinterpret_cast<uintptr_t>(&op)};
    drm_asahi_queue_create queue{0, vm.vm_id, kAsahiPriorityMedium, 0, kVa};
    CHECK(call(fd, kAsahiVmBind, &bind) && call(fd, kAsahiQueueCreate, &queue));
    struct {
        drm_asahi_cmd_header header;
        drm_asahi_cmd_compute command;
    } commands{{kAsahiCmdCompute, sizeof commands.command, kAsahiBarrierNone, 0}, {}};
    commands.command.cdm_ctrl_stream_base = kVa;
    drm_asahi_sync out{};
    CHECK(drmSyncobjCreate(fd, 0, &out.handle) == 0);
    drm_asahi_submit submit{reinterpret_cast<uintptr_t>(&out),
                            reinterpret_cast<uintptr_t>(&commands),
                            0,
                            queue.queue_id,
                            0,
                            1,
                            sizeof commands,
                            0};
    CHECK(call(fd, kAsahiSubmit, &submit));
    CHECK(done(fd, out.handle));
    submit.queue_id = 99;
    CHECK(!call(fd, kAsahiSubmit, &submit) && errno == ENOENT);
}

void test_older(int fd) {
    old::drm_asahi_params_global p{};
    old::drm_asahi_get_params get{};
    get.pointer = reinterpret_cast<uintptr_t>(&p);
    get.size = sizeof p;
    CHECK(call(fd, old::kGetParams, &get));
    CHECK(p.unstable_uabi_version == old::kVersion);
    CHECK(p.chip_id == 0x8103);
    old::drm_asahi_vm_create vm{};
    vm.kernel_start = kKernelStart;
    vm.kernel_end = kKernelEnd;
    CHECK(call(fd, old::kVmCreate, &vm));
    old::drm_asahi_queue_create queue{0, 0, vm.vm_id, old::kQueueCaps, 1, 0, 0};
    CHECK(call(fd, old::kQueueCreate, &queue));
    old::drm_asahi_cmd_compute compute{};
    const old::drm_asahi_command command{
        0, old::kCmdCompute, 0, reinterpret_cast<uintptr_t>(&compute), sizeof compute, 0, 0, {0, 0}};
    old::drm_asahi_sync out{};
    CHECK(drmSyncobjCreate(fd, 0, &out.handle) == 0);
    old::drm_asahi_submit submit{0,
                                 0,
                                 reinterpret_cast<uintptr_t>(&out),
                                 reinterpret_cast<uintptr_t>(&command),
                                 0,
                                 queue.queue_id,
                                 0,
                                 0,
                                 1,
                                 1};
    CHECK(call(fd, old::kSubmit, &submit));
    CHECK(done(fd, out.handle));
}

}  // namespace

int main(int argc, char** argv) {
    const int fd = drmOpenWithType("asahi", nullptr, DRM_NODE_RENDER);
    CHECK(argc == 2 && fd >= 0);
    if (failures) return 1;
    drmDevicePtr device = nullptr;
    CHECK(drmGetDevice2(fd, 0, &device) == 0 && device->bustype == DRM_BUS_PLATFORM);
    if (device) CHECK(std::strcmp(device->businfo.platform->fullname, "/gpu@206400000") == 0);
    drmFreeDevice(&device);
    if (std::strcmp(argv[1], "older") == 0)
        test_older(fd);
    else
        test_current(fd);
    close(fd);
    return failures != 0;
}
