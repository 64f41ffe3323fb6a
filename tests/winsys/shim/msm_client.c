// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The counterpart of client.c for an Adreno: `msm_client CHIP` runs under the shim. libdrm with its msm_drm.h
// must find the GPU of the table below, with the values that msm reports. The last line is "N passed, M
// failed".
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <msm_drm.h>
#include <xf86drm.h>

static int passed, failed;

static void check_that(int ok, const char* what, int line) {
    if (ok)
        passed++;
    else
        failed++, printf("msm_client.c:%d: not so: %s (errno %d)\n", line, what, errno);
}
#define CHECK(what) check_that(!!(what), #what, __LINE__)

// Newer than Debian's msm_drm.h.
enum {
    kGmemBase = 6,
    kPriorities = 7,
    kPpPgtable = 8,
    kFaults = 9,
    kVaStart = 14,
    kVaSize = 15,
    kHighestBankBit = 16,
    kRaytracing = 17,
    kUbwcSwizzle = 18,
    kMacrotileMode = 19,
    kUcheTrapBase = 20,
    kHasPrr = 21,
    kUnknown = 99,
};

// The values of Linux 6.17 for their SoCs: sdm845, sc7180, sm8150, sm8250, sm8350.
struct chip {
    uint32_t gpu_id, chip_id, gmem_size, gmem_base, max_freq_mhz, bank_bit, macrotile;
    int large_va;
    const char *fullname, *compatible;
};
static const struct chip chips[] = {
    {630, 0x06030001, 1 << 20, 0x100000, 710, 15, 0, 0, "/gpu@5000000", "qcom,adreno-630.1"},
    {618, 0x06010800, 512 << 10, 0x100000, 825, 14, 0, 0, "/gpu@5000000", "qcom,adreno-618.0"},
    {640, 0x06040001, 1 << 20, 0x100000, 675, 15, 0, 0, "/gpu@2c00000", "qcom,adreno-640.1"},
    {650, 0x06050002, 1152 << 10, 0, 670, 16, 1, 1, "/gpu@3d00000", "qcom,adreno-650.2"},
    {660, 0x06060001, 1536 << 10, 0, 840, 16, 1, 1, "/gpu@3d00000", "qcom,adreno-660.1"},
};

struct gem_info {
    uint32_t handle, info;
    uint64_t value;
    uint32_t len, pad;
};

static uint64_t get_param(int fd, uint32_t param) {
    struct drm_msm_param args = {.pipe = MSM_PIPE_3D0, .param = param};
    CHECK(drmCommandWriteRead(fd, DRM_MSM_GET_PARAM, &args, sizeof args) == 0);
    return args.value;
}

static void test_discovery(const struct chip* chip) {
    drmDevicePtr devices[8] = {0};
    const int count = drmGetDevices2(0, devices, 8);
    CHECK(count == 1);
    if (count != 1) return;
    CHECK(devices[0]->bustype == DRM_BUS_PLATFORM);
    CHECK(strcmp(devices[0]->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128") == 0);
    CHECK(strcmp(devices[0]->businfo.platform->fullname, chip->fullname) == 0);
    char** compatible = devices[0]->deviceinfo.platform ? devices[0]->deviceinfo.platform->compatible : NULL;
    CHECK(compatible && strcmp(compatible[0], chip->compatible) == 0);
    CHECK(compatible && compatible[1] && strcmp(compatible[1], "qcom,adreno") == 0);
    drmFreeDevices(devices, count);
    char line[64] = "";
    FILE* uevent = fopen("/sys/dev/char/226:128/device/uevent", "r");
    CHECK(uevent && fgets(line, sizeof line, uevent) && strcmp(line, "DRIVER=adreno\n") == 0);
    if (uevent) fclose(uevent);
    const int fd = drmOpenWithType("msm", NULL, DRM_NODE_RENDER);
    CHECK(fd >= 0);
    drmVersionPtr version = drmGetVersion(fd);
    CHECK(version && strcmp(version->name, "msm") == 0 && version->version_major == 1 &&
          version->version_minor == 13);
    drmFreeVersion(version);
    close(fd);
}

static void test_params(int fd, const struct chip* chip) {
    CHECK(get_param(fd, MSM_PARAM_GPU_ID) == chip->gpu_id);
    CHECK(get_param(fd, MSM_PARAM_CHIP_ID) == chip->chip_id);
    CHECK(get_param(fd, MSM_PARAM_GMEM_SIZE) == chip->gmem_size);
    CHECK(get_param(fd, kGmemBase) == chip->gmem_base);
    CHECK(get_param(fd, MSM_PARAM_MAX_FREQ) == chip->max_freq_mhz * UINT64_C(1000000));
    CHECK(get_param(fd, kPriorities) == 3);
    CHECK(get_param(fd, kPpPgtable) == 0);
    CHECK(get_param(fd, kFaults) == 0);
    CHECK(get_param(fd, kVaStart) == UINT64_C(1) << 32);
    CHECK(get_param(fd, kVaSize) ==
          (chip->large_va ? (UINT64_C(1) << 48) - (UINT64_C(1) << 32) : UINT64_C(1) << 32));
    CHECK(get_param(fd, kHighestBankBit) == chip->bank_bit);
    CHECK(get_param(fd, kRaytracing) == 0);
    CHECK(get_param(fd, kUbwcSwizzle) == 6);
    CHECK(get_param(fd, kMacrotileMode) == chip->macrotile);
    CHECK(get_param(fd, kUcheTrapBase) == UINT64_C(0x1fffffffff000));
    CHECK(get_param(fd, kHasPrr) == 0);
    const uint64_t before = get_param(fd, MSM_PARAM_TIMESTAMP);
    const struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
    const uint64_t ticks = get_param(fd, MSM_PARAM_TIMESTAMP) - before;
    CHECK(ticks >= 19200 && ticks < 19200000);  // at 19.2 MHz: a millisecond to a second
    struct drm_msm_param unknown = {.pipe = MSM_PIPE_3D0, .param = kUnknown};
    CHECK(drmCommandWriteRead(fd, DRM_MSM_GET_PARAM, &unknown, sizeof unknown) == -EINVAL);
}

// The device completes work without executing it: the words need not be packets.
static void test_submit(int fd) {
    struct drm_msm_gem_new bo = {.size = 4096, .flags = MSM_BO_WC};
    CHECK(drmCommandWriteRead(fd, DRM_MSM_GEM_NEW, &bo, sizeof bo) == 0);
    struct gem_info where = {.handle = bo.handle};  // kind 0: the offset
    CHECK(drmCommandWriteRead(fd, DRM_MSM_GEM_INFO, &where, sizeof where) == 0);
    uint32_t* words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)where.value);
    CHECK(words != MAP_FAILED);
    if (words == MAP_FAILED) return;
    memset(words, 0x55, 4096);
    struct drm_msm_gem_submit_bo bos = {.flags = MSM_SUBMIT_BO_READ | MSM_SUBMIT_BO_WRITE,
                                        .handle = bo.handle};
    struct drm_msm_gem_submit_cmd cmd = {.type = MSM_SUBMIT_CMD_BUF, .size = 64};
    struct drm_msm_gem_submit submit = {
        .flags = MSM_PIPE_3D0, .nr_bos = 1, .nr_cmds = 1, .bos = (uintptr_t)&bos, .cmds = (uintptr_t)&cmd};
    CHECK(drmCommandWriteRead(fd, DRM_MSM_GEM_SUBMIT, &submit, sizeof submit) == 0);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct drm_msm_wait_fence wait = {.fence = submit.fence, .timeout = {now.tv_sec + 10, now.tv_nsec}};
    CHECK(drmCommandWrite(fd, DRM_MSM_WAIT_FENCE, &wait, sizeof wait) == 0);
    CHECK(words[0] == 0x55555555);
    CHECK(get_param(fd, kFaults) == 0);
    munmap(words, 4096);
}

int main(int argc, char** argv) {
    const struct chip* chip = NULL;
    for (size_t i = 0; argc == 2 && i < sizeof chips / sizeof chips[0]; i++)
        if (chips[i].gpu_id == (uint32_t)atoi(argv[1])) chip = &chips[i];
    if (!chip) return 2;
    test_discovery(chip);
    const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0);
    test_params(fd, chip);
    test_submit(fd);
    close(fd);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
