// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random requests to asahi, in both of its interfaces: none may crash, hang or leak descriptors. For a
// million requests: TERRAZZO_FUZZ_REQUESTS=1000000.
#include <cstdlib>
#include <random>

#include "tests/winsys/virtual/asahi_kernel.h"
#include "tests/winsys/virtual/random_words.h"
#include "winsys/uapi/asahi_downstream.h"

using namespace terrazzo::test;
namespace old = terrazzo::uapi::asahi_downstream;

namespace {

constexpr unsigned long kCore[] = {kIoctlGemClose,        kIoctlPrimeHandleToFd,      kIoctlPrimeFdToHandle,
                                   kIoctlSyncobjCreate,   kIoctlSyncobjReset,         kIoctlSyncobjSignal,
                                   kIoctlSyncobjTransfer, kIoctlSyncobjTimelineSignal};
constexpr unsigned long kNew[] = {
    kAsahiGetParams,     kAsahiGetTime,       kAsahiVmCreate,    kAsahiVmDestroy,
    kAsahiVmBind,        kAsahiVmBind,        kAsahiGemCreate,   kAsahiGemMmapOffset,
    kAsahiGemBindObject, kAsahiGemBindObject, kAsahiQueueCreate, kAsahiQueueDestroy,
    kAsahiSubmit,        kAsahiSubmit,        kAsahiSubmit,      kAsahiSubmit};
constexpr unsigned long kOlder[] = {
    old::kGetParams,     old::kGetTime,       old::kVmCreate,    old::kVmDestroy,
    old::kGemBind,       old::kGemBind,       old::kGemCreate,   old::kGemMmapOffset,
    old::kGemBindObject, old::kGemBindObject, old::kQueueCreate, old::kQueueDestroy,
    old::kSubmit,        old::kSubmit,        old::kSubmit,      old::kSubmit};

class Fuzz {
  public:
    Fuzz(bool gpu, bool older, int count)
        : k_(gpu, options(), older), random_(31 + gpu + 2 * older), older_(older), count_(count) {
        guarded_ =
            static_cast<uint8_t*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(mprotect(guarded_ + 4096, 4096, PROT_READ | PROT_WRITE) == 0);
        deep_ = reinterpret_cast<uint32_t*>(guarded_ + 2 * 4096) - kWords;
    }
    ~Fuzz() {
        k_.file = nullptr;
        for (const int fd : fds_)
            close(fd);
        munmap(guarded_, 3 * 4096);
    }
    int run() {
        int good = 0;
        for (int i = 0; i < count_; i++) {
            if (i % 200 == 0) begin();
            for (size_t w = 0; w < kWords; w++)
                deep_[w] = some_word(random_, address_of(deep_));
            if (pick(4)) likely_commands();
            uint32_t args[(1u << _IOC_SIZEBITS) / 4] = {};
            for (uint32_t w = 0; w < 32; w += 2) {
                args[w] = some_word(random_, address_of(deep_));
                args[w + 1] = some_word(random_, address_of(deep_));
                const uint64_t pointer = address_of(deep_);
                if (pick(3) == 0) memcpy(&args[w], &pointer, sizeof pointer);
            }
            unsigned long request = pick(3) == 0 ? kCore[pick(std::size(kCore))]
                                    : older_     ? kOlder[pick(std::size(kOlder))]
                                                 : kNew[pick(std::size(kNew))];
            tame(request, args);
            avoid_own_memory(args, std::size(args), address_of(guarded_ + 4096));
            avoid_own_memory(deep_, kWords, address_of(guarded_ + 4096));
            if (pick(50) == 0 && _IOC_NR(request) >= 0x40) request ^= 1ul << (16 + pick(14));  // another size
            const int result = k_.ioctl(request, args);
            good += result == 0;
            if (result == 0 && request == kIoctlPrimeHandleToFd) fds_.push_back(static_cast<int>(args[2]));
            if (fds_.size() > 50) {
                close(fds_.front());
                fds_.erase(fds_.begin());
            }
        }
        return good;
    }

  private:
    static constexpr size_t kWords = 256;

    static terrazzo::winsys::virt::SchedulerOptions options() {
        terrazzo::winsys::virt::SchedulerOptions options;
        options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
        return options;
    }
    /// A new file with a VM, a queue, and objects.
    void begin() {
        k_.file = k_.open();
        if (older_) {
            old::drm_asahi_vm_create vm{0, kKernelStart, kKernelEnd, 0, 0};
            (void)k_.ioctl(old::kVmCreate, &vm);
            old::drm_asahi_queue_create queue{0, 0, 1, old::kQueueCaps, 1, 0, 0};
            (void)k_.ioctl(old::kQueueCreate, &queue);
        } else {
            (void)k_.queue(k_.vm());
        }
        for (int i = 0; i < 3; i++) {
            old::drm_asahi_gem_create bo{0, 4 * kAgxPage, 0, 0, 0, 0};
            if (older_)
                (void)k_.ioctl(old::kGemCreate, &bo);
            else
                (void)k_.bo(4 * kAgxPage);
        }
        (void)k_.syncobj(kSyncobjCreateSignaled);
        (void)k_.syncobj();
    }
    /// The memory of a submit's pointers, almost valid.
    void likely_commands() {
        const uint16_t barrier = pick(4) ? kAsahiBarrierNone : static_cast<uint16_t>(pick(3));
        drm_asahi_cmd_render r = AsahiKernel::render(pick(2) ? kObjectVa : 0, pick(2) ? kObjectVa : 0);
        r.ts_frag.end = {pick(3) ? 0 : pick(3), pick(64) * 8};
        CommandBuffer commands;
        for (uint32_t i = pick(3); i < 3 && commands.bytes.size() < 600; i++) {
            if (pick(2))
                commands.add(kAsahiCmdRender, r, barrier);
            else
                commands.add(kAsahiCmdCompute, AsahiKernel::compute(kObjectVa), kAsahiBarrierNone, barrier);
        }
        if (older_) return;
        memcpy(deep_, commands.bytes.data(), commands.bytes.size());
        commands_B_ = static_cast<uint32_t>(commands.bytes.size());
        const drm_asahi_sync syncs[2] = {{pick(2), 1 + pick(2), 0}, {pick(2), 1 + pick(2), pick(3)}};
        memcpy(deep_ + 200, syncs, sizeof syncs);
    }
    void tame(unsigned long request, uint32_t* args) {
        if (request == kIoctlSyncobjTransfer) args[6] &= ~kSyncobjWaitForSubmit;
        if (request == kIoctlPrimeFdToHandle) args[2] = fds_.empty() ? UINT32_MAX : some_fd();
        if (older_) return tame_older(request, args);
        if (request == kAsahiGemCreate) {  // do not use up the machine's memory
            args[0] &= 0xffffff;
            args[1] = 0;
        }
        if (request == kAsahiVmCreate && pick(2)) {
            const uint64_t range[2] = {kKernelStart, kKernelEnd};
            memcpy(args, range, sizeof range);
        }
        if (request == kAsahiVmBind && pick(4)) {
            const drm_asahi_gem_bind_op op{1u << (1 + pick(3)), 1 + pick(3), pick(4) * kAgxPage,
                                           (1 + pick(4)) * kAgxPage, kObjectVa + pick(64) * kAgxPage};
            const drm_asahi_gem_bind_op unbind{kAsahiBindUnbind, 0, 0, op.range, op.addr};
            memcpy(deep_, pick(4) ? &op : &unbind, sizeof op);
            const drm_asahi_vm_bind bind{1, 1, sizeof op, 0, address_of(deep_)};
            memcpy(args, &bind, sizeof bind);
        }
        if (request == kAsahiGemBindObject && pick(2)) {
            const drm_asahi_gem_bind_object object{0, 1, 1 + pick(3), 0, 0, kAgxPage, 0, 0};
            memcpy(args, &object, sizeof object);
        }
        if (request == kAsahiSubmit && pick(4)) {
            const drm_asahi_submit submit{
                address_of(deep_ + 200), address_of(deep_), 0, 1 + pick(2), pick(2), pick(2), commands_B_, 0};
            memcpy(args, &submit, sizeof submit);
        }
    }
    void tame_older(unsigned long request, uint32_t* args) {
        if (pick(8)) args[0] = args[1] = 0;  // extensions
        if (request == old::kGemCreate) {
            args[2] &= 0xffffff;
            args[3] = 0;
        }
        if (request == old::kGemBind && pick(4)) {
            const old::drm_asahi_gem_bind bind{0,
                                               pick(3),
                                               1 + pick(3),
                                               1 + pick(3),
                                               1,
                                               0,
                                               (1 + pick(4)) * kAgxPage,
                                               kObjectVa + pick(64) * kAgxPage};
            memcpy(args, &bind, sizeof bind);
        }
        if (request != old::kSubmit || pick(4) == 0) return;
        old::drm_asahi_cmd_render r{};
        r.fb_width = r.fb_height = 32;
        r.utile_width = r.utile_height = 32;
        r.samples = r.layers = 1;
        r.encoder_ptr = kObjectVa;
        memcpy(deep_ + 64, &r, sizeof r);
        if (pick(8) == 0) deep_[64 + pick(sizeof r / 4)] = pick(5);
        const old::drm_asahi_command command{0,
                                             pick(2) * 2,
                                             0,
                                             address_of(deep_ + 64),
                                             sizeof r,
                                             0,
                                             pick(2) * 64,
                                             {pick(2) ? old::kBarrierNone : 0, old::kBarrierNone}};
        memcpy(deep_, &command, sizeof command);
        const old::drm_asahi_sync sync{0, pick(2), 1 + pick(2), 0};
        memcpy(deep_ + 200, &sync, sizeof sync);
        const uint64_t syncs = address_of(deep_ + 200);
        const old::drm_asahi_submit submit{0,       syncs,   syncs,   address_of(deep_),    0, 1 + pick(2),
                                           pick(3), pick(2), pick(2), pick(3) ? 1 : pick(3)};
        memcpy(args, &submit, sizeof submit);
    }
    /// A number below n.
    uint32_t pick(size_t n) { return static_cast<uint32_t>(random_() % n); }
    uint32_t some_fd() { return static_cast<uint32_t>(fds_[random_() % fds_.size()]); }

    AsahiKernel k_;
    std::mt19937 random_;
    const bool older_;
    const int count_;
    uint8_t* guarded_ = nullptr;  // the page between two inaccessible pages
    uint32_t* deep_ = nullptr;    // the memory of pointers: up to the end of that page
    uint32_t commands_B_ = 0;
    std::vector<int> fds_;
};

}  // namespace

TEST_CASE("asahi: random requests never crash") {
    const char* wish = getenv("TERRAZZO_FUZZ_REQUESTS");
    const int count = wish ? atoi(wish) / 4 : 12500;
    const int descriptors = open_descriptors();
    for (const bool older : {false, true})
        for (const bool gpu : {false, true}) {
            Fuzz fuzz(gpu, older, count);
            const int good = fuzz.run();
            // With AddressSanitizer, avoid_own_memory() changes most pairs of words.
            CHECK(good > count / (kAddressSanitizer ? 50 : 10));
            MESSAGE(good << " of " << count << " requests were good");
        }
    CHECK(open_descriptors() == descriptors);
}
