// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Opening a device, asahi's part of its memory (tests/common/memory tests the rest), submits, and every
// request failing in turn.
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "drivers/agx/submission/queue.h"
#include "tests/agx/driver/device_fixture.h"

using namespace terrazzo;
using namespace terrazzo::agx;
using namespace terrazzo::test;

namespace {

/// Requests that undo earlier ones cannot fail.
bool asahi_undoes(unsigned long request, const void* arg) {
    if (request == uapi::kAsahiVmBind) {
        const auto* args = static_cast<const uapi::drm_asahi_vm_bind*>(arg);
        return reinterpret_cast<const uapi::drm_asahi_gem_bind_op*>(args->userptr)->flags &
               uapi::kAsahiBindUnbind;
    }
    return request == uapi::kAsahiVmDestroy || request == uapi::kAsahiQueueDestroy;
}

/// A render that the kernel accepts.
uapi::drm_asahi_cmd_render small_render() {
    uapi::drm_asahi_cmd_render r{};
    r.width_px = r.height_px = 16;
    r.layers = r.samples = 1;
    r.utile_width_px = r.utile_height_px = 32;
    r.sample_size_B = 8;
    return r;
}

/// What the last requests said.
struct LastRequests {
    std::vector<uint8_t> commands;  // of a submit
    uapi::drm_asahi_gem_bind_op bind{};
    uapi::drm_asahi_gem_create create{};
};

/// A file that passes all requests on and keeps the last ones' contents.
class RecordingDrm final : public winsys::Drm {
  public:
    RecordingDrm(std::unique_ptr<winsys::Drm> drm, LastRequests* last) : drm_(std::move(drm)), last_(last) {}
    int ioctl(unsigned long request, void* arg) override {
        if (request == uapi::kAsahiSubmit) {
            const auto* args = static_cast<const uapi::drm_asahi_submit*>(arg);
            const auto* bytes = reinterpret_cast<const uint8_t*>(args->cmdbuf);
            last_->commands.assign(bytes, bytes + args->cmdbuf_size);
        }
        if (request == uapi::kAsahiGemCreate)
            last_->create = *static_cast<const uapi::drm_asahi_gem_create*>(arg);
        if (request == uapi::kAsahiVmBind)
            last_->bind = *reinterpret_cast<const uapi::drm_asahi_gem_bind_op*>(
                static_cast<const uapi::drm_asahi_vm_bind*>(arg)->userptr);
        return drm_->ioctl(request, arg);
    }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        return drm_->map(offset, size_B, prot, address);
    }
    void unmap(void* address, size_t size_B) override { drm_->unmap(address, size_B); }
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        return drm_->descriptor_ioctl(fd, request, arg);
    }

  private:
    const std::unique_ptr<winsys::Drm> drm_;
    LastRequests* const last_;
};

pipe::Ref<Device> open_recorded(LastRequests* last) {
    std::string why;
    auto device =
        Device::create(std::make_unique<RecordingDrm>(open_agx_drm("noop:agx-g13g"), last), {}, &why);
    REQUIRE_MESSAGE(device, why);
    return device;
}

/// A file of another kernel driver, or of an unknown chip.
struct ForeignDrm final : winsys::Drm {
    const char* const name;
    explicit ForeignDrm(const char* n) : name(n) {}
    int ioctl(unsigned long request, void* arg) override {
        if (request == uapi::kIoctlVersion) {
            auto* v = static_cast<uapi::drm_version*>(arg);
            v->version_major = 0;
            strncpy(v->name, name, v->name_len);
            return 0;
        }
        if (request != uapi::kAsahiGetParams) return -EINVAL;
        auto* params = reinterpret_cast<uapi::drm_asahi_params_global*>(
            static_cast<uapi::drm_asahi_get_params*>(arg)->pointer);
        params->gpu_generation = 14;
        params->chip_id = 0x8112;
        params->num_clusters_total = 1;
        return 0;
    }
    int map(uint64_t, size_t, int, void**) override { return -EINVAL; }
    void unmap(void*, size_t) override {}
    int descriptor_ioctl(int, unsigned long, void*) override { return -EINVAL; }
};

}  // namespace

TEST_CASE("agx device: its facts about each chip") {
    struct Row {
        const char *device, *chip;
        uint32_t clusters;
    };
    for (const Row& row : {Row{"noop:agx-g13g", "agx-g13g", 1}, Row{"noop:agx-g13s", "agx-g13s", 2},
                           Row{"noop:agx-g13d", "agx-g13d", 8}}) {
        const auto device = open_agx_device(row.device);
        CHECK(std::string(device->chip().name) == row.chip);
        CHECK(device->chip().clusters == row.clusters);
        CHECK(device->chip().cores_per_cluster == 8);
        CHECK(device->vm_id() != 0);
        CHECK(device->max_commands() > 1);
        const uint64_t first = device->timestamp_ns(), second = device->timestamp_ns();
        CHECK(first > 0);
        CHECK(second >= first);
    }
}

TEST_CASE("agx device: an unknown chip and another driver are refused with one line") {
    std::string why;
    CHECK(!Device::create(std::make_unique<ForeignDrm>("panthor"), {}, &why));
    CHECK(why == "the kernel driver is panthor 0.0, not asahi 0");
    CHECK(!Device::create(std::make_unique<ForeignDrm>("asahi"), {}, &why));
    CHECK(why == "unknown GPU of chip 0x8112 (generation 14), not one of AGX G13's");
}

TEST_CASE("agx bo: pages of 16 KiB, zeroed; code is in the window of queues") {
    const auto device = open_agx_device();
    uint64_t va;
    {
        const auto bo = device->create_bo(10000, 0);
        REQUIRE(bo);
        CHECK(bo->size_B == 16384);
        CHECK(bo->va % 16384 == 0);
        CHECK(bo->va >= (8ull << 30));
        va = bo->va;
        memset(bo->cpu, 0xff, bo->size_B);
    }
    const auto again = device->create_bo(9000, 0);
    REQUIRE(again);
    CHECK(again->va == va);
    CHECK(again->cpu[0] == 0);
    CHECK(again->cpu[16383] == 0);
    const auto next = device->create_bo(1, 0);
    REQUIRE(next);
    CHECK(next->va >= va + 2 * 16384);  // a page between them stays free
    const auto code = device->create_bo(4096, bo_flag::kExecutable | bo_flag::kReadOnly);
    REQUIRE(code);
    CHECK(code->va > Asahi::kUscBase);
    CHECK(code->va + code->size_B <= Asahi::kUscBase + (4ull << 30));
    const auto hidden = device->create_bo(65536, bo_flag::kNoCpu);
    REQUIRE(hidden);
    CHECK(!hidden->cpu);
    CHECK(!device->create_bo(0, 0));
    CHECK(!device->create_bo(1ull << 50, 0));
}

TEST_CASE("agx bo: only what is read-only cannot be written, and only what is shareable is not private") {
    LastRequests last;
    const auto device = open_recorded(&last);
    const auto data = device->create_bo(100, bo_flag::kNoCpu);
    REQUIRE(data);
    CHECK(last.bind.flags == (uapi::kAsahiBindRead | uapi::kAsahiBindWrite));
    CHECK(last.bind.addr == data->va);
    CHECK(last.bind.range == 16384);
    CHECK(last.create.flags == uapi::kAsahiGemVmPrivate);
    CHECK(last.create.vm_id == device->vm_id());
    const auto code = device->create_bo(100, bo_flag::kExecutable | bo_flag::kReadOnly);
    REQUIRE(code);
    CHECK(last.bind.flags == uapi::kAsahiBindRead);
    CHECK(last.bind.handle == code->handle);
    REQUIRE(device->create_bo(100, bo_flag::kShareable));
    CHECK(last.create.flags == 0);
    CHECK(last.create.vm_id == 0);
}

TEST_CASE("agx bo: a dma-buf goes out and comes back; a private object does not") {
    const auto device = open_agx_device();
    const auto shared = device->create_bo(20000, bo_flag::kShareable), own = device->create_bo(20000, 0);
    REQUIRE(shared);
    REQUIRE(own);
    const int fd = device->export_bo(*shared);
    REQUIRE(fd >= 0);
    CHECK(device->export_bo(*own) == -1);
    CHECK(device->import_bo(fd).get() == shared.get());
    close(fd);
}

TEST_CASE("agx queue: commands wait for what they name, in a flat list") {
    LastRequests last;
    const auto device = open_recorded(&last);
    const auto queue = Queue::create(device, 1);
    REQUIRE(queue);
    Commands commands(device->max_commands());
    const uapi::drm_asahi_cmd_compute dispatch{};
    commands.add(small_render(), {});
    commands.add(dispatch, {.renders = true});
    commands.add(small_render(), {.renders = true, .dispatches = true});
    commands.add(dispatch, {.dispatches = true});
    const uint64_t point = queue->submit(commands, {});
    CHECK(point == 1);
    CHECK(queue->timeline()->wait(point, UINT64_MAX) == WaitResult::Done);

    struct Expected {
        uint16_t type, vdm, cdm;
    };
    constexpr uint16_t kNone = uapi::kAsahiBarrierNone;
    size_t at = 0;
    for (const Expected& e :
         {Expected{uapi::kAsahiCmdRender, kNone, kNone}, Expected{uapi::kAsahiCmdCompute, 1, kNone},
          Expected{uapi::kAsahiCmdRender, 1, 1}, Expected{uapi::kAsahiCmdCompute, kNone, 1}}) {
        uapi::drm_asahi_cmd_header header;
        REQUIRE(at + sizeof header <= last.commands.size());
        memcpy(&header, last.commands.data() + at, sizeof header);
        CHECK(header.cmd_type == e.type);
        CHECK(header.vdm_barrier == e.vdm);
        CHECK(header.cdm_barrier == e.cdm);
        at += sizeof header + header.size;
    }
    CHECK(at == last.commands.size());

    // The first command of a submit may wait for those of earlier ones.
    commands.clear();
    commands.add(small_render(), {.renders = true, .dispatches = true});
    const auto other = Queue::create(device, 0);
    REQUIRE(other);
    const Point wait{queue->timeline(), point};
    const uint64_t second = other->submit(commands, {&wait, 1});
    CHECK(second == 1);
    CHECK(other->timeline()->wait(second, UINT64_MAX) == WaitResult::Done);
    CHECK(other->take_state() == QueueState::Usable);
}

TEST_CASE("agx queue: the kernel lowers the priority; a bad command is refused without effect") {
    const auto device = open_agx_device();
    const auto queue = Queue::create(device, 2);
    REQUIRE(queue);
    CHECK(queue->priority() == 1);
    Commands commands(device->max_commands());
    auto bad = small_render();
    bad.width_px = 0;
    commands.add(bad, {});
    CHECK(queue->submit(commands, {}) == 0);
    CHECK(queue->last_point() == 0);
    CHECK(queue->take_state() == QueueState::Usable);
    commands.clear();
    commands.add(small_render(), {});
    CHECK(queue->submit(commands, {}) == 1);
}

TEST_CASE("agx device: every request fails in turn, and nothing leaks") {
    unsigned total = 0;
    for (unsigned at = 1;; at++) {
        DrmControl control;
        control.create_request = uapi::kAsahiGemCreate;
        control.undoes = asahi_undoes;
        control.fail_at = at;
        std::string why;
        bool all = false;
        {
            const auto device = Device::create(
                std::make_unique<ControlledDrm>(open_agx_drm("noop:agx-g13g"), control), {}, &why);
            if (device) {
                const auto bo = device->create_bo(4096, 0),
                           shared = device->create_bo(8192, bo_flag::kShareable);
                const Block block = device->create_block(64, 64);
                const auto queue = Queue::create(device, 1);
                all = bo && shared && block && queue;
            } else {
                CHECK(!why.empty());
            }
            total = control.calls;
        }
        CHECK(control.open_handles == 0);
        if (all && control.fail_at) break;  // there are no more requests
        REQUIRE(at < 200);
    }
    CHECK(total > 15);
}

TEST_CASE("agx device: after fork every call fails, and none hangs") {
    const auto device = open_agx_device();
    auto bo = device->create_bo(4096, 0);
    auto queue = Queue::create(device, 1);
    REQUIRE(queue);
    Commands commands(device->max_commands());
    commands.add(small_render(), {});
    const pid_t child = fork();
    if (child == 0) {
        bool ok = !device->create_bo(100000, 0) && !device->import_bo(0);
        ok &= queue->timeline()->wait(1, UINT64_MAX) == WaitResult::Lost;
        ok &= queue->submit(commands, {}) == 0;
        ok &= queue->take_state() == QueueState::Guilty;
        ok &= !queue->prepare();
        queue.reset();
        bo = nullptr;
        _exit(ok ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
