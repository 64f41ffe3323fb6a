// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random requests to msm: none may crash, hang or leak descriptors. For a million requests:
// TERRAZZO_FUZZ_REQUESTS=1000000.
#include <cstdlib>
#include <cstring>
#include <random>

#include "tests/winsys/virtual/msm_kernel.h"
#include "tests/winsys/virtual/random_words.h"

using namespace terrazzo::test;

namespace {

unsigned long some_request(std::mt19937& random) {
    static const unsigned long kKnown[] = {
        kIoctlGemClose,
        kIoctlPrimeHandleToFd,
        kIoctlPrimeFdToHandle,
        kIoctlSyncobjCreate,
        kIoctlSyncobjReset,
        kIoctlSyncobjSignal,
        kIoctlSyncobjTransfer,
        kIoctlSyncobjTimelineSignal,
        kMsmGetParam,
        kMsmSetParam,
        kMsmGemNew,
        kMsmGemInfo,
        kMsmGemInfo,
        kMsmGemCpuPrep,
        kMsmGemCpuFini,
        kMsmGemSubmit,
        kMsmGemSubmit,
        kMsmGemSubmit,
        kMsmGemSubmit,
        kMsmWaitFence,
        kMsmGemMadvise,
        kMsmSubmitqueueNew,
        kMsmSubmitqueueClose,
        kMsmSubmitqueueQuery,
        kMsmVmBind,
        kMsmVmBind,
    };
    const unsigned long request = kKnown[random() % std::size(kKnown)];
    const unsigned long other = request ^ 1ul << (random() % 32);
    // If the result cannot be copied out completely, its descriptor is lost, as in a real kernel.
    const bool gives_descriptor = _IOC_NR(other) == _IOC_NR(kIoctlPrimeHandleToFd) ||
                                  _IOC_NR(other) == _IOC_NR(kIoctlSyncobjHandleToFd) ||
                                  _IOC_NR(other) == _IOC_NR(kMsmGemSubmit) ||
                                  _IOC_NR(other) == _IOC_NR(kMsmVmBind);
    return random() % 50 || gives_descriptor ? request : other;
}

class Fuzz {
  public:
    Fuzz(bool gpu, int count) : k_(gpu, options()), random_(gpu ? 21 : 22), count_(count) {
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
            if (i % 200 == 0) begin(pick(2));
            for (size_t w = 0; w < kWords; w++)
                deep_[w] = some_word(random_, address_of(deep_));
            if (pick(2)) likely_arrays();
            uint32_t args[(1u << _IOC_SIZEBITS) / 4] =
                {};  // the longest size that a request's number can have
            for (uint32_t w = 0; w < 32; w += 2) {
                args[w] = some_word(random_, address_of(deep_));
                args[w + 1] = some_word(random_, address_of(deep_));
                const uint64_t pointer = address_of(deep_);
                if (pick(3) == 0) memcpy(&args[w], &pointer, sizeof pointer);
            }
            const unsigned long request = some_request(random_);
            tame(request, args);
            avoid_own_memory(args, std::size(args), address_of(guarded_ + 4096));
            avoid_own_memory(deep_, kWords, address_of(guarded_ + 4096));
            const int result = k_.ioctl(request, args);
            good += result == 0;
            if (result == 0) keep_descriptor(request, args);
        }
        return good;
    }

  private:
    static constexpr size_t kWords = 64;

    static terrazzo::winsys::virt::SchedulerOptions options() {
        terrazzo::winsys::virt::SchedulerOptions options;
        options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
        return options;
    }
    /// A new file with some objects.
    void begin(bool binds) {
        k_.file = k_.open();
        if (binds) REQUIRE(k_.set_param(kMsmParamEnVmBind, 1) == 0);
        for (int i = 0; i < 3; i++)
            (void)k_.bo(65536);
        (void)k_.queue(0);
        if (binds) (void)k_.queue(0, kMsmSubmitqueueVmBind);
        (void)k_.syncobj(kSyncobjCreateSignaled);
        (void)k_.syncobj();
    }
    /// The memory of a submit's pointers, almost valid.
    void likely_arrays() {
        const drm_msm_gem_submit_bo bos[2] = {{1 + pick(3), 1 + pick(3), 0}, {1 + pick(3), 1 + pick(3), 0}};
        memcpy(deep_, bos, sizeof bos);
        const drm_msm_gem_submit_cmd cmd{1 + pick(3), pick(2), 0, 4 * pick(64), 0, 0, 0};
        memcpy(deep_ + 8, &cmd, sizeof cmd);
    }
    void tame(unsigned long request, uint32_t* args) {
        if (request == kMsmGemNew) {  // do not use up the machine's memory
            args[0] &= 0xffffff;
            args[1] = 0;
            if (pick(2)) args[2] = kMsmBoWc;
        }
        if (request == kMsmGemInfo) args[5] = 0;
        if (request == kMsmGemInfo && pick(2)) args[4] = 0;
        if (request == kMsmGemCpuPrep) memset(&args[2], 0, 16);  // do not wait
        if (request == kMsmWaitFence) memset(&args[2], 0, 16);
        if (request == kMsmGetParam || request == kMsmSetParam) {
            args[0] = kMsmPipe3d0;
            if (pick(2)) args[1] = pick(24);
            args[5] = 0;
        }
        if (request == kIoctlSyncobjTransfer) args[6] &= ~kSyncobjWaitForSubmit;
        if (request == kIoctlPrimeFdToHandle) args[2] = some_fd();
        if (request == kMsmGemSubmit && pick(4)) submit(args);
        if (request == kMsmVmBind && pick(4)) {
            drm_msm_vm_bind bind{};
            bind.flags = pick(4) ? 0 : kMsmVmBindFenceFdOut;
            bind.nr_ops = 1;
            bind.queue_id = 2;
            bind.op = {pick(2), 0, 0, (1ull << 32) + ((pick(64)) << 12), 4096 * (1 + pick(4)), 0, 0};
            if (bind.op.op) bind.op.handle = 1 + pick(3);
            memcpy(args, &bind, sizeof bind);
        }
    }
    void submit(uint32_t* args) {
        drm_msm_gem_submit submit{};
        submit.flags = kMsmPipe3d0 | (pick(2) ? 0 : 1u << (25 + pick(7)));
        submit.fence = pick(8);
        submit.nr_bos = pick(3);
        submit.nr_cmds = pick(2);
        submit.bos = address_of(deep_);
        submit.cmds = address_of(deep_ + 8);
        submit.fence_fd = static_cast<int>(some_fd());
        submit.queueid = pick(2);
        submit.in_syncobjs = submit.out_syncobjs = address_of(deep_ + 32);
        submit.nr_in_syncobjs = submit.nr_out_syncobjs = pick(2);
        submit.syncobj_stride = 16;
        memcpy(args, &submit, sizeof submit);
    }
    /// A number below n.
    uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
    uint32_t some_fd() {
        return fds_.empty() ? UINT32_MAX : static_cast<uint32_t>(fds_[random_() % fds_.size()]);
    }
    void keep_descriptor(unsigned long request, const uint32_t* args) {
        drm_msm_gem_submit submit;
        memcpy(&submit, args, sizeof submit);
        drm_msm_vm_bind bind;
        memcpy(&bind, args, sizeof bind);
        if (request == kIoctlPrimeHandleToFd)
            fds_.push_back(static_cast<int>(args[2]));
        else if (request == kMsmGemSubmit && (submit.flags & kMsmSubmitFenceFdOut))
            fds_.push_back(submit.fence_fd);
        else if (request == kMsmVmBind && (bind.flags & kMsmVmBindFenceFdOut))
            fds_.push_back(bind.fence_fd);
        if (fds_.size() > 50) {
            close(fds_.front());
            fds_.erase(fds_.begin());
        }
    }

    MsmKernel k_;
    std::mt19937 random_;
    const int count_;
    uint8_t* guarded_ = nullptr;  // the page between two inaccessible pages
    uint32_t* deep_ = nullptr;    // the memory of pointers: up to the end of that page
    std::vector<int> fds_;
};

}  // namespace

TEST_CASE("msm: random requests never crash") {
    const char* wish = getenv("TERRAZZO_FUZZ_REQUESTS");
    const int count = wish ? atoi(wish) : 50000;
    const int descriptors = open_descriptors();
    for (const bool gpu : {false, true}) {
        Fuzz fuzz(gpu, count);
        const int good = fuzz.run();
        CHECK(good > count / 20);
        MESSAGE(good << " of " << count << " requests were good");
    }
    CHECK(open_descriptors() == descriptors);
}
