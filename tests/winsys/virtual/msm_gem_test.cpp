// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// msm's requests for the device, buffer objects and submitqueues: their results, and the errno of each error.
#include <fcntl.h>

#include <cstring>

#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo::test;

TEST_CASE("msm: parameters of the device") {
    MsmKernel k(false);
    char name[8] = {};
    drm_version version{};
    version.name = name;
    version.name_len = sizeof name;
    REQUIRE(k.ioctl(kIoctlVersion, &version) == 0);
    CHECK(std::string(name) == "msm");
    CHECK(version.version_major == 1);
    CHECK(version.version_minor == 13);
    CHECK(k.get_param(kMsmParamGpuId) == 630);
    CHECK(k.get_param(kMsmParamChipId) == 0x06030001);
    CHECK(k.get_param(kMsmParamGmemSize) == 1 << 20);
    CHECK(k.get_param(kMsmParamGmemBase) == 0x100000);
    CHECK(k.get_param(kMsmParamMaxFreq) == 710'000'000);
    CHECK(k.get_param(kMsmParamPriorities) == 3);
    CHECK(k.get_param(kMsmParamPpPgtable) == 0);
    CHECK(k.get_param(kMsmParamFaults) == 0);
    CHECK(k.get_param(kMsmParamVaStart) == 1ull << 32);
    CHECK(k.get_param(kMsmParamVaSize) == 1ull << 32);
    CHECK(k.get_param(kMsmParamHighestBankBit) == 15);
    CHECK(k.get_param(kMsmParamRaytracing) == 0);
    CHECK(k.get_param(kMsmParamUbwcSwizzle) == 6);
    CHECK(k.get_param(kMsmParamMacrotileMode) == 0);
    CHECK(k.get_param(kMsmParamUcheTrapBase) == 0x1fffffffff000);
    CHECK(k.get_param(kMsmParamHasPrr) == 0);
    const uint64_t before = k.get_param(kMsmParamTimestamp);
    usleep(1000);
    CHECK(k.get_param(kMsmParamTimestamp) >= before + 19200);
}

TEST_CASE("msm: errors of GET_PARAM") {
    MsmKernel k(false);
    const auto get = [&](drm_msm_param args) { return k.ioctl(kMsmGetParam, &args); };
    CHECK(get({kMsmPipe3d0, kMsmParamGpuId, 0, 0, 0}) == 0);
    CHECK(get({1, kMsmParamGpuId, 0, 0, 0}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, kMsmParamGpuId, 0, 0, 1}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, kMsmParamGpuId, 0, 4, 0}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, kMsmParamSysprof, 0, 0, 0}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, kMsmParamEnVmBind, 0, 0, 0}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, 0, 0, 0, 0}) == -EINVAL);
    CHECK(get({kMsmPipe3d0, 0x7fff, 0, 0, 0}) == -EINVAL);
}

TEST_CASE("msm: SET_PARAM") {
    MsmKernel k(false);
    const std::string text = "glmark2";
    CHECK(k.set_param(kMsmParamComm, address_of(text.data()), 7) == 0);
    CHECK(k.set_param(kMsmParamCmdline, address_of(text.data()), 0) == 0);
    CHECK(k.set_param(kMsmParamCmdline, 0, 4097) == -EINVAL);
    CHECK(k.set_param(kMsmParamCmdline, 0, 4) == -EFAULT);
    CHECK(k.set_param(kMsmParamGpuId, 1) == -EINVAL);
    CHECK(k.set_param(kMsmParamSysprof, 0, 4) == -EINVAL);
    CHECK((k.set_param(kMsmParamSysprof, 3) == -EINVAL || geteuid() != 0));
    drm_msm_param args{0, kMsmParamComm, 0, 0, 0};
    CHECK(k.ioctl(kMsmSetParam, &args) == -EINVAL);
    // Whether the kernel or the user manages addresses can be chosen until the first address is requested.
    CHECK(k.set_param(kMsmParamEnVmBind, 1) == 0);
    CHECK(k.set_param(kMsmParamEnVmBind, 0) == 0);
    (void)k.get_param(kMsmParamGpuId);
    CHECK(k.set_param(kMsmParamEnVmBind, 1) == -EBUSY);
}

TEST_CASE("msm: requests that do not exist") {
    MsmKernel k(false);
    drm_msm_param args{};
    CHECK(k.ioctl(drm_iowr<drm_msm_param>(kDrmCommandBase + 9), &args) == -EINVAL);
    CHECK(k.ioctl(drm_iowr<drm_msm_param>(kDrmCommandBase + 14), &args) == -EINVAL);
}

TEST_CASE("msm: errors of GEM_NEW") {
    MsmKernel k(false);
    const auto make = [&](uint64_t size_B, uint32_t flags) {
        drm_msm_gem_new args{size_B, flags, 0};
        return k.ioctl(kMsmGemNew, &args);
    };
    CHECK(make(4096, kMsmBoWc) == 0);
    CHECK(make(1, kMsmBoCached | kMsmBoScanout | kMsmBoGpuReadonly) == 0);
    CHECK(make(0, kMsmBoWc) == -EINVAL);
    CHECK(make(UINT64_MAX, kMsmBoWc) == -EINVAL);
    CHECK(make(4096, 0) == -EINVAL);
    CHECK(make(4096, kMsmBoUncached) == -EINVAL);
    CHECK(make(4096, kMsmBoWc | kMsmBoCached) == -EINVAL);
    CHECK(make(4096, kMsmBoCachedCoherent) == -EINVAL);  // this GPU has no access to the CPU's caches
    CHECK(make(4096, kMsmBoWc | 8) == -EINVAL);
}

TEST_CASE("msm: objects have memory, addresses, names and notes") {
    MsmKernel k(false);
    const uint32_t a = k.bo(5000), b = k.bo(4096, kMsmBoCached | kMsmBoGpuReadonly);
    auto* memory = k.map<uint8_t>(a, 8192);
    CHECK(memory[8191] == 0);
    munmap(memory, 8192);
    CHECK(k.iova(a) == 1ull << 32);
    CHECK(k.iova(b) == (1ull << 32) + 8192);
    CHECK(k.iova(a) == 1ull << 32);
    REQUIRE(k.info_error(b, kMsmInfoGetFlags) == 0);
    CHECK(k.info_value == (kMsmBoCached | kMsmBoGpuReadonly));

    char text[64] = "vertices\nof teapots";
    CHECK(k.info_error(a, kMsmInfoSetName, address_of(text), 32) == -EINVAL);
    CHECK(k.info_error(a, kMsmInfoSetName, 16, 8) == -EFAULT);
    REQUIRE(k.info_error(a, kMsmInfoSetName, address_of(text), 19) == 0);
    REQUIRE(k.info_error(a, kMsmInfoGetName, 0, 0) == 0);
    CHECK(k.info_len == 8);  // up to the first unprintable character
    memset(text, '#', sizeof text);
    CHECK(k.info_error(a, kMsmInfoGetName, address_of(text), 7) == -EINVAL);
    CHECK(k.info_error(a, kMsmInfoGetName, 16, 8) == -EFAULT);
    REQUIRE(k.info_error(a, kMsmInfoGetName, address_of(text), 64) == 0);
    CHECK(std::string(text, 9) == "vertices#");

    CHECK(k.info_error(a, kMsmInfoSetMetadata, address_of(text), 129) == -EOVERFLOW);
    CHECK(k.info_error(a, kMsmInfoSetMetadata, 16, 8) == -EFAULT);
    REQUIRE(k.info_error(a, kMsmInfoSetMetadata, address_of("layout"), 6) == 0);
    REQUIRE(k.info_error(a, kMsmInfoGetMetadata, 0, 0) == 0);
    CHECK(k.info_len == 6);
    CHECK(k.info_error(a, kMsmInfoGetMetadata, address_of(text), 5) == -525);
    CHECK(k.info_error(a, kMsmInfoGetMetadata, 16, 6) == -EFAULT);
    REQUIRE(k.info_error(a, kMsmInfoGetMetadata, address_of(text), 64) == 0);
    CHECK(std::string(text, 6) == "layout");
}

TEST_CASE("msm: errors of GEM_INFO") {
    MsmKernel k(false);
    const uint32_t bo = k.bo(4096);
    drm_msm_gem_info padded{bo, kMsmInfoGetOffset, 0, 0, 1};
    CHECK(k.ioctl(kMsmGemInfo, &padded) == -EINVAL);
    CHECK(k.info_error(99, kMsmInfoGetOffset) == -ENOENT);
    CHECK(k.info_error(99, 8) == -EINVAL);
    CHECK(k.info_error(99, kMsmInfoGetIova, 0, 1) == -EINVAL);
    for (const uint32_t info : {kMsmInfoGetOffset, kMsmInfoGetIova, kMsmInfoSetIova, kMsmInfoGetFlags})
        CHECK(k.info_error(bo, info, 0, 1) == -EINVAL);
}

TEST_CASE("msm: addresses that the user chooses") {
    MsmKernel k(false);
    const uint32_t a = k.bo(8192), b = k.bo(4096);
    constexpr uint64_t kBase = 1ull << 32;
    CHECK(k.info_error(a, kMsmInfoSetIova, kBase + 0x10000) == 0);
    CHECK(k.iova(a) == kBase + 0x10000);
    CHECK(k.info_error(a, kMsmInfoSetIova, kBase + 0x10000) == 0);
    CHECK(k.info_error(b, kMsmInfoSetIova, kBase + 0x11000) == -ENOSPC);
    CHECK(k.info_error(b, kMsmInfoSetIova, kBase + 0x20800) == -ENOSPC);
    CHECK(k.info_error(b, kMsmInfoSetIova, 0x1000) == -ENOSPC);
    CHECK(k.info_error(b, kMsmInfoSetIova, 2 * kBase) == -ENOSPC);
    CHECK(k.info_error(b, kMsmInfoSetIova, UINT64_MAX & ~4095ull) == -ENOSPC);
    // A second address: it is refused, and the first one is released.
    CHECK(k.info_error(a, kMsmInfoSetIova, kBase + 0x40000) == -EBUSY);
    CHECK(k.info_error(b, kMsmInfoSetIova, kBase + 0x11000) == 0);
    CHECK(k.info_error(b, kMsmInfoSetIova, 0) == 0);
    CHECK(k.info_error(a, kMsmInfoSetIova, kBase + 0x11000) == 0);
    CHECK(k.close(a) == 0);
    CHECK(k.info_error(b, kMsmInfoSetIova, kBase + 0x11000) == 0);
}

TEST_CASE("msm: addresses can run out") {
    MsmKernel k(false);
    const uint32_t big = k.bo(3ull << 30), other = k.bo(2ull << 30), small = k.bo(1 << 20);
    (void)k.iova(big);
    CHECK(k.info_error(other, kMsmInfoGetIova) == -ENOSPC);
    CHECK(k.iova(small) == (1ull << 32) + (3ull << 30));
    CHECK(k.close(big) == 0);
    (void)k.iova(other);
}

TEST_CASE("msm: objects that are not shared cannot be exported, others are imported as the same object") {
    MsmKernel k(false);
    const uint32_t own = k.bo(4096, kMsmBoWc | kMsmBoNoShare), shared = k.bo(4096);
    drm_prime_handle args{own, O_CLOEXEC | O_RDWR, -1};
    CHECK(k.ioctl(kIoctlPrimeHandleToFd, &args) == -EPERM);
    REQUIRE(k.info_error(shared, kMsmInfoSetMetadata, address_of("tiled"), 5) == 0);
    args.handle = shared;
    REQUIRE(k.ioctl(kIoctlPrimeHandleToFd, &args) == 0);

    auto first = k.open();
    std::swap(first, k.file);  // the object still exists in the first file
    drm_prime_handle back{0, 0, args.fd};
    REQUIRE(k.ioctl(kIoctlPrimeFdToHandle, &back) == 0);
    char text[8] = {};
    REQUIRE(k.info_error(back.handle, kMsmInfoGetMetadata, address_of(text), 8) == 0);
    CHECK(std::string(text) == "tiled");
    REQUIRE(k.info_error(back.handle, kMsmInfoGetFlags) == 0);
    CHECK(k.info_value == kMsmBoWc);

    MsmKernel other(false);
    REQUIRE(other.ioctl(kIoctlPrimeFdToHandle, &back) == 0);
    CHECK(other.info_error(back.handle, kMsmInfoGetFlags) == -EINVAL);
    close(args.fd);
}

TEST_CASE("msm: MADVISE") {
    MsmKernel k(false);
    const uint32_t bo = k.bo(4096);
    const auto advise = [&](uint32_t handle, uint32_t madv) {
        drm_msm_gem_madvise args{handle, madv, 7};
        const int error = k.ioctl(kMsmGemMadvise, &args);
        return error ? error : static_cast<int>(args.retained);
    };
    CHECK(advise(bo, 2) == -EINVAL);
    CHECK(advise(99, 2) == -EINVAL);
    CHECK(advise(99, kMsmMadvDontneed) == -ENOENT);
    CHECK(advise(bo, kMsmMadvDontneed) == 1);
    auto args = MsmKernel::submit_args(0, {}, {});
    drm_msm_gem_submit_bo object{kMsmSubmitBoRead, bo, 0};
    args.bos = address_of(&object);
    args.nr_bos = 1;
    CHECK(k.ioctl(kMsmGemSubmit, &args) == -EBUSY);
    CHECK(advise(bo, kMsmMadvWillneed) == 1);
    CHECK(k.ioctl(kMsmGemSubmit, &args) == 0);
}

TEST_CASE("msm: errors of CPU_PREP and CPU_FINI") {
    MsmKernel k(false);
    const uint32_t bo = k.bo(4096);
    CHECK(k.prep(99, 16) == -EINVAL);
    CHECK(k.prep(99, kMsmPrepRead) == -ENOENT);
    CHECK(k.prep(bo, kMsmPrepFlags, 0) == 0);
    drm_msm_gem_cpu_fini fini{99};
    CHECK(k.ioctl(kMsmGemCpuFini, &fini) == -ENOENT);
    fini.handle = bo;
    CHECK(k.ioctl(kMsmGemCpuFini, &fini) == 0);
}

TEST_CASE("msm: submitqueues") {
    MsmKernel k(false);
    const auto make = [&](uint32_t flags, uint32_t prio) {
        drm_msm_submitqueue args{flags, prio, 0};
        const int error = k.ioctl(kMsmSubmitqueueNew, &args);
        return error ? error : static_cast<int>(args.id);
    };
    CHECK(make(0, 0) == 1);
    CHECK(make(0, 2) == 2);
    CHECK(make(0, 3) == -EINVAL);
    CHECK(make(0, UINT32_MAX) == -EINVAL);
    CHECK(make(4, 0) == -EINVAL);
    CHECK(make(kMsmSubmitqueueAllowPreempt, 0) == -EINVAL);  // there is one ring
    CHECK(make(kMsmSubmitqueueVmBind, 0) == -EINVAL);        // the kernel manages the addresses
    uint32_t id = 1;
    CHECK(k.ioctl(kMsmSubmitqueueClose, &id) == 0);
    CHECK(k.ioctl(kMsmSubmitqueueClose, &id) == -ENOENT);
    id = 0;
    CHECK(k.ioctl(kMsmSubmitqueueClose, &id) == -ENOENT);
    CHECK(make(0, 0) == 3);  // numbers are not reused

    uint32_t faults = 7;
    const auto query = [&](drm_msm_submitqueue_query args) { return k.ioctl(kMsmSubmitqueueQuery, &args); };
    CHECK(query({address_of(&faults), 0, kMsmSubmitqueueParamFaults, 4, 0}) == 0);
    CHECK(faults == 0);
    CHECK(query({0, 0, kMsmSubmitqueueParamFaults, 0, 0}) == 0);
    CHECK(query({address_of(&faults), 0, kMsmSubmitqueueParamFaults, 4, 1}) == -EINVAL);
    CHECK(query({address_of(&faults), 1, 5, 4, 0}) == -ENOENT);
    CHECK(query({address_of(&faults), 0, 1, 4, 0}) == -EINVAL);
    CHECK(query({16, 0, kMsmSubmitqueueParamFaults, 4, 0}) == -EFAULT);
}
