// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program without any knowledge of Terrazzo, run under the shim. Debian's libdrm must find the device, and
// descriptors must behave like a kernel's. The last line is "N passed, M failed".
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static int passed, failed;

static void check_that(int ok, const char *what, int line) {
    if (ok)
        passed++;
    else
        failed++, printf("client.c:%d: not so: %s (errno %d)\n", line, what, errno);
}
#define CHECK(what) check_that(!!(what), #what, __LINE__)

struct bo_create {
    uint64_t size;
    uint32_t flags, vm, handle, pad;
};
struct bo_offset {
    uint32_t handle, pad;
    uint64_t offset;
};

static uint32_t create_bo(int fd, uint64_t size) {
    struct bo_create args = {.size = size};
    CHECK(drmIoctl(fd, DRM_IOWR(DRM_COMMAND_BASE + 5, struct bo_create), &args) == 0);
    return args.handle;
}
static void *map_bo(int fd, uint32_t handle, size_t size) {
    struct bo_offset args = {.handle = handle};
    CHECK(drmIoctl(fd, DRM_IOWR(DRM_COMMAND_BASE + 6, struct bo_offset), &args) == 0);
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.offset);
}

static void test_discovery(void) {
    drmDevicePtr devices[8] = {0};
    const int count = drmGetDevices2(0, devices, 8);
    CHECK(count == 1);
    if (count != 1)
        return;
    CHECK(devices[0]->bustype == DRM_BUS_PLATFORM);
    CHECK(devices[0]->available_nodes == (1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER));
    CHECK(strcmp(devices[0]->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128") == 0);
    CHECK(strcmp(devices[0]->nodes[DRM_NODE_PRIMARY], "/dev/dri/card0") == 0);
    CHECK(strcmp(devices[0]->businfo.platform->fullname, "/gpu@fb000000") == 0);
    CHECK(devices[0]->deviceinfo.platform && devices[0]->deviceinfo.platform->compatible &&
          strcmp(devices[0]->deviceinfo.platform->compatible[1], "arm,mali-valhall-csf") == 0);
    const int fd = open(devices[0]->nodes[DRM_NODE_RENDER], O_RDWR | O_CLOEXEC);
    CHECK(fd >= 0);
    drmFreeDevices(devices, count);

    drmVersionPtr version = drmGetVersion(fd);
    CHECK(version && strcmp(version->name, "panthor") == 0 && version->version_major == 1);
    drmFreeVersion(version);
    drmDevicePtr device = NULL;
    CHECK(drmGetDevice2(fd, 0, &device) == 0 && device->bustype == DRM_BUS_PLATFORM);
    drmFreeDevice(&device);
    CHECK(drmGetNodeTypeFromFd(fd) == DRM_NODE_RENDER);
    char *name = drmGetRenderDeviceNameFromFd(fd);
    CHECK(name && strcmp(name, "/dev/dri/renderD128") == 0);
    free(name);
    name = drmGetDeviceNameFromFd2(fd);
    CHECK(name && strcmp(name, "/dev/dri/renderD128") == 0);
    free(name);
    name = drmGetPrimaryDeviceNameFromFd(fd);
    CHECK(name && strcmp(name, "/dev/dri/card0") == 0);
    free(name);
    struct stat st;
    CHECK(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(226, 128));
    CHECK(drmGetDeviceFromDevId(makedev(226, 0), 0, &device) == 0);
    drmFreeDevice(&device);
    uint64_t value = 0;
    CHECK(drmGetCap(fd, DRM_CAP_SYNCOBJ_TIMELINE, &value) == 0 && value == 1);
    CHECK(drmGetCap(fd, DRM_CAP_DUMB_BUFFER, &value) != 0 && errno == EOPNOTSUPP);
    CHECK(!drmIsMaster(fd));
    CHECK(close(fd) == 0);

    const int card = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    CHECK(card >= 0 && drmGetNodeTypeFromFd(card) == DRM_NODE_PRIMARY);
    CHECK(drmIsMaster(card));
    CHECK(drmModeGetResources(card) == NULL && errno == EOPNOTSUPP);
    close(card);
}

static int starts_with_card(const struct dirent *d) {
    return strncmp(d->d_name, "card", 4) == 0;
}

static void test_paths(void) {
    struct stat st;
    CHECK(stat("/dev/dri/renderD128", &st) == 0 && S_ISCHR(st.st_mode) && minor(st.st_rdev) == 128);
    CHECK(stat("/dev/dri/renderD129", &st) == -1 && errno == ENOENT);
    CHECK(lstat("/dev/dri", &st) == 0 && S_ISDIR(st.st_mode));
    CHECK(stat("/sys/dev/char/226:128/device/drm", &st) == 0 && S_ISDIR(st.st_mode));
    CHECK(lstat("/sys/dev/char/226:128", &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(stat("/dev/dri/..", &st) == 0 && S_ISDIR(st.st_mode) && access("/dev/dri/../null", F_OK) == 0);
    struct statx x;
    CHECK(statx(AT_FDCWD, "/dev/dri/..", AT_SYMLINK_NOFOLLOW, STATX_MODE, &x) == 0 && S_ISDIR(x.stx_mode));
    CHECK(statx(AT_FDCWD, "/dev/dri/card0", 0, STATX_MODE, &x) == 0 && x.stx_rdev_major == 226);
    CHECK(getxattr("/dev/dri", "user.none", NULL, 0) == -1 && errno == ENOTSUP);
    CHECK(access("/dev/dri/card0", R_OK | W_OK) == 0);
    CHECK(access("/dev/dri/card1", F_OK) == -1 && errno == ENOENT);
    CHECK(open("/dev/dri/renderD129", O_RDWR) == -1 && errno == ENOENT);
    char path[PATH_MAX];
    const ssize_t length = readlink("/sys/dev/char/226:128/device/subsystem", path, sizeof path - 1);
    CHECK(length > 0);
    path[length > 0 ? length : 0] = 0;
    CHECK(strcmp(path, "../../../bus/platform") == 0);
    CHECK(realpath("/sys/dev/char/226:128/device", path) &&
          strcmp(path, "/sys/devices/platform/fb000000.gpu") == 0);
    CHECK(realpath("/dev//dri/./by-path/../by-path/platform-fb000000.gpu-render", path) &&
          strcmp(path, "/dev/dri/renderD128") == 0);
    FILE *file = fopen("/sys/dev/char/226:128/device/uevent", "r");
    CHECK(file && fgets(path, sizeof path, file) && strcmp(path, "DRIVER=panthor\n") == 0);
    if (file)
        fclose(file);
    DIR *dir = opendir("/dev/dri");
    CHECK(dir != NULL);
    int names = 0;
    for (struct dirent *d; dir && (d = readdir(dir));)
        names++;
    CHECK(names == 5);  // ., .., card0, renderD128, by-path
    if (dir)
        CHECK(closedir(dir) == 0);
    struct dirent **list = NULL;
    CHECK(scandir("/dev/dri", &list, starts_with_card, alphasort) == 1 &&
          strcmp(list[0]->d_name, "card0") == 0);
    free(list[0]);
    free(list);
    // Other files are not affected.
    dir = opendir("/");
    CHECK(dir && readdir(dir));
    closedir(dir);
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK(access("/nowhere", F_OK) == -1 && errno == ENOENT);
    file = fopen("/proc/self/status", "r");
    CHECK(file && fgets(path, sizeof path, file));
    fclose(file);
}

static void test_syncobjs(void) {
    const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    uint32_t a = 0, b = 0, first = 9;
    CHECK(drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &a) == 0);
    CHECK(drmSyncobjCreate(fd, 0, &b) == 0);
    CHECK(drmSyncobjWait(fd, &a, 1, 0, 0, &first) == 0 && first == 0);
    CHECK(drmSyncobjWait(fd, &b, 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, &first) == -ETIME);
    uint64_t point = 4;
    CHECK(drmSyncobjTimelineSignal(fd, &b, &point, 1) == 0);
    CHECK(drmSyncobjQuery(fd, &b, &point, 1) == 0 && point == 4);
    CHECK(drmSyncobjTimelineWait(fd, &b, &point, 1, 0, 0, NULL) == 0);
    CHECK(drmSyncobjTransfer(fd, b, 9, a, 0, 0) == 0);
    int file = -1;
    CHECK(drmSyncobjExportSyncFile(fd, a, &file) == 0);
    struct pollfd p = {file, POLLIN, 0};
    CHECK(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
    CHECK(drmSyncobjReset(fd, &a, 1) == 0);
    CHECK(drmSyncobjImportSyncFile(fd, a, file) == 0);
    CHECK(drmSyncobjWait(fd, &a, 1, 0, 0, NULL) == 0);
    close(file);
    int whole = -1;
    uint32_t again = 0;
    CHECK(drmSyncobjHandleToFD(fd, b, &whole) == 0 && drmSyncobjFDToHandle(fd, whole, &again) == 0 &&
          again != b);
    close(whole);
    CHECK(drmSyncobjDestroy(fd, b) == 0 && drmSyncobjDestroy(fd, b) != 0);
    close(fd);
}

static void test_descriptors(void) {
    int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    const uint32_t bo = create_bo(fd, 8192);
    uint32_t *memory = map_bo(fd, bo, 8192);
    CHECK(memory != MAP_FAILED);
    memory[5] = 77;
    // Duplicates refer to the same file; closing the last one closes it.
    const int copies[] = {dup(fd), fcntl(fd, F_DUPFD_CLOEXEC, 100), dup2(fd, 90), dup3(fd, 91, O_CLOEXEC)};
    close(fd);
    for (int i = 0; i < 4; i++) {
        uint32_t *again = map_bo(copies[i], bo, 8192);
        CHECK(again != MAP_FAILED && again[5] == 77);
        munmap(again, 8192);
        CHECK(close(copies[i]) == 0);
    }
    CHECK(ioctl(copies[1], DRM_IOCTL_VERSION, memory) == -1 && errno == EBADF);
    memory[6] = 78;  // the mapping still has its memory
    CHECK(munmap(memory, 8192) == 0);

    fd = open("/dev/dri/renderD128", O_RDWR);
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0);
    const int high = fcntl(fd, F_DUPFD, 200);
    CHECK(close_range(200, 300, 0) == 0);
    CHECK(fcntl(high, F_GETFD) == -1 && errno == EBADF);
    CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)1 << 33) == MAP_FAILED && errno == EINVAL);
    void *flush = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)1 << 56);
    CHECK(flush != MAP_FAILED && *(uint32_t *)flush == 1);
    munmap(flush, 4096);
    CHECK(ioctl(fd, DRM_IOCTL_VERSION, NULL) == -1 && errno == EFAULT);
    CHECK(ioctl(fd, DRM_IOWR(0x9f, struct bo_create), &fd) == -1 && errno == EINVAL);
    close(fd);
}

// Sends a descriptor, like a compositor's client.
static void send_fd(int socket, int fd) {
    char byte = 'x', control[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    CHECK(sendmsg(socket, &msg, 0) == 1);
}
static int receive_fd(int socket) {
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec iov = {&byte, 1};
    struct msghdr msg = {
        .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    int fd = -1;
    if (recvmsg(socket, &msg, 0) == 1 && CMSG_FIRSTHDR(&msg))
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof fd);
    return fd;
}

// The other process, an exec of this program. It receives a dma-buf and a sync file, writes to the first and
// waits for the second.
static int receiver(int socket) {
    const int dmabuf = receive_fd(socket), sync = receive_fd(socket);
    const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    uint32_t handle = 0, again = 0, syncobj = 0;
    CHECK(drmPrimeFDToHandle(fd, dmabuf, &handle) == 0);
    CHECK(drmPrimeFDToHandle(fd, dmabuf, &again) == 0 && again == handle);
    CHECK(lseek(dmabuf, 0, SEEK_END) == 4096);
    uint32_t *memory = map_bo(fd, handle, 4096);
    CHECK(memory != MAP_FAILED && memory[0] == 0x1234);
    memory[1] = 0x5678;
    CHECK(drmSyncobjCreate(fd, 0, &syncobj) == 0 && drmSyncobjImportSyncFile(fd, syncobj, sync) == 0);
    CHECK(drmSyncobjWait(fd, &syncobj, 1, 0, 0, NULL) == 0);
    return failed != 0;
}

static int child_ends_well(pid_t child) {
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void test_processes(const char *self) {
    const int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    const uint32_t bo = create_bo(fd, 4096);
    uint32_t *memory = map_bo(fd, bo, 4096);
    memory[0] = 0x1234;
    // A forked child has lost the device, and may open it again.
    pid_t child = fork();
    if (child == 0) {
        uint64_t value;
        CHECK(drmGetCap(fd, DRM_CAP_PRIME, &value) != 0 && errno == ENODEV);
        CHECK(close(fd) == 0);
        const int own = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
        CHECK(own >= 0 && drmGetCap(own, DRM_CAP_PRIME, &value) == 0);
        CHECK(memory[0] == 0x1234);  // existing mappings are shared
        exit(failed != 0);
    }
    CHECK(child_ends_well(child));

    int sockets[2], dmabuf = -1, sync = -1;
    uint32_t syncobj = 0;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    CHECK(drmPrimeHandleToFD(fd, bo, DRM_CLOEXEC | DRM_RDWR, &dmabuf) == 0);
    CHECK(drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &syncobj) == 0);
    CHECK(drmSyncobjExportSyncFile(fd, syncobj, &sync) == 0);
    child = fork();
    if (child == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", sockets[1]);
        execl(self, self, "receive", number, NULL);
        _exit(9);
    }
    send_fd(sockets[0], dmabuf);
    send_fd(sockets[0], sync);
    CHECK(child_ends_well(child));
    CHECK(memory[1] == 0x5678);
    munmap(memory, 4096);
    CHECK(system("exit 0") == 0);
    FILE *pipe = popen("echo word", "r");
    char word[16] = "";
    CHECK(pipe && fgets(word, sizeof word, pipe) && strcmp(word, "word\n") == 0);
    pclose(pipe);
}

int main(int argc, char **argv) {
    if (argc == 3)
        return receiver(atoi(argv[2]));
    test_discovery();
    test_paths();
    test_syncobjs();
    test_descriptors();
    test_processes(argv[0]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
