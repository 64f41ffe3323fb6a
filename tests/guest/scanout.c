// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// scanout fb CARD FILE.ppm: writes what the card's first active CRTC reads: the framebuffer of its primary
// plane. It needs root, for the handles. scanout writeback CARD FILE.ppm PID: writes what the CRTC generates
// from its planes, which the card's writeback connector stores. Only the DRM master may ask for it: this
// program duplicates the file of the program PID (pidfd_getfd). That program must be stopped, so that its own
// commits do not come in between. Prints: fourcc, size, modifier, share of pixels that are not black, and a
// hash of the picture. Source: Linux Documentation/gpu/drm-kms.rst, "Writeback Connectors".
#define _GNU_SOURCE
#include <drm_fourcc.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

static void die(const char* what) {
    fprintf(stderr, "scanout: %s: %s\n", what, strerror(errno));
    exit(1);
}

typedef struct {
    uint32_t fourcc, width_px, height_px, pitch_B;
    uint64_t modifier;
    const uint8_t* pixels;
} Picture;

/// Red, green and blue of a pixel of four bytes.
static void read_pixel(uint32_t fourcc, const uint8_t* p, uint8_t rgb[3]) {
    uint32_t word;
    memcpy(&word, p, 4);
    switch (fourcc) {
        case DRM_FORMAT_XRGB8888:
        case DRM_FORMAT_ARGB8888:
            rgb[0] = p[2], rgb[1] = p[1], rgb[2] = p[0];
            break;
        case DRM_FORMAT_XBGR8888:
        case DRM_FORMAT_ABGR8888:
            rgb[0] = p[0], rgb[1] = p[1], rgb[2] = p[2];
            break;
        case DRM_FORMAT_XRGB2101010:
        case DRM_FORMAT_ARGB2101010:
            rgb[0] = word >> 22, rgb[1] = word >> 12, rgb[2] = word >> 2;
            break;
        default:
            errno = ENOTSUP;
            die("this format is not known here");
    }
}

static void write_picture(const Picture* p, const char* path) {
    FILE* const f = fopen(path, "wb");
    if (!f) die(path);
    fprintf(f, "P6\n%u %u\n255\n", p->width_px, p->height_px);
    uint64_t hash = 0xcbf29ce484222325, lit = 0;  // FNV-1a, over pixels instead of bytes
    uint8_t* const row = malloc((size_t)p->width_px * 3);
    if (!row) die("a row");
    for (uint32_t y = 0; y < p->height_px; ++y) {
        for (uint32_t x = 0; x < p->width_px; ++x) {
            uint8_t* const rgb = row + x * 3;
            read_pixel(p->fourcc, p->pixels + (size_t)y * p->pitch_B + x * 4, rgb);
            const uint32_t color = (uint32_t)rgb[0] << 16 | rgb[1] << 8 | rgb[2];
            lit += color != 0;
            hash = (hash ^ color) * 0x100000001b3;
        }
        fwrite(row, 3, p->width_px, f);
    }
    free(row);
    if (fclose(f)) die(path);
    printf("%.4s %ux%u modifier %#llx lit %.3f hash %016llx\n", (const char*)&p->fourcc, p->width_px,
           p->height_px, (unsigned long long)p->modifier, (double)lit / p->width_px / p->height_px,
           (unsigned long long)hash);
}

/// The active CRTC, and the kernel's current framebuffer of its primary plane.
static drmModeCrtc* find_crtc(int card, uint32_t* fb_id) {
    drmModeRes* const res = drmModeGetResources(card);
    if (!res) die("the card has no KMS");
    for (int i = 0; i < res->count_crtcs; ++i) {
        drmModeCrtc* const crtc = drmModeGetCrtc(card, res->crtcs[i]);
        if (crtc && crtc->mode_valid && crtc->buffer_id) {
            *fb_id = crtc->buffer_id;
            return crtc;
        }
        drmModeFreeCrtc(crtc);
    }
    errno = ENOENT;
    die("no CRTC shows anything");
    return NULL;
}

static const uint8_t* map_handle(int card, uint32_t handle, size_t size_B) {
    int fd = -1;
    void* map = MAP_FAILED;
    if (drmPrimeHandleToFD(card, handle, DRM_CLOEXEC | DRM_RDWR, &fd) == 0)
        map = mmap(NULL, size_B, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        struct drm_mode_map_dumb request = {.handle = handle};
        if (drmIoctl(card, DRM_IOCTL_MODE_MAP_DUMB, &request)) die("mapping the framebuffer");
        map = mmap(NULL, size_B, PROT_READ, MAP_SHARED, card, (off_t)request.offset);
    }
    if (map == MAP_FAILED) die("mapping the framebuffer");
    return map;
}

static void dump_framebuffer(int card, const char* path) {
    drmSetClientCap(card, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
    // The framebuffer may be replaced and removed between the two queries.
    for (int tries = 0; tries < 100; ++tries) {
        uint32_t fb_id = 0;
        drmModeCrtc* const crtc = find_crtc(card, &fb_id);
        drmModeFB2* const fb = drmModeGetFB2(card, fb_id);
        if (!fb) continue;
        if (!fb->handles[0]) errno = EPERM, die("drmModeGetFB2 gave no handle");
        if (fb->modifier != DRM_FORMAT_MOD_LINEAR && fb->modifier != DRM_FORMAT_MOD_INVALID)
            errno = ENOTSUP, die("the framebuffer is not linear");
        const size_t end_B = fb->offsets[0] + (size_t)fb->pitches[0] * fb->height;
        const Picture p = {fb->pixel_format,
                           crtc->mode.hdisplay,
                           crtc->mode.vdisplay,
                           fb->pitches[0],
                           fb->modifier,
                           map_handle(card, fb->handles[0], end_B) + fb->offsets[0] +
                               (size_t)crtc->y * fb->pitches[0] + crtc->x * 4};
        if (crtc->x + p.width_px > fb->width || crtc->y + p.height_px > fb->height)
            errno = ERANGE, die("the framebuffer is smaller than the mode");
        write_picture(&p, path);
        return;
    }
    die("drmModeGetFB2");
}

/// A duplicate of the program's file of the card, which is the DRM master.
static int borrow_master(const char* card_path, pid_t pid) {
    struct stat wanted, st;
    const int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (pidfd < 0 || stat(card_path, &wanted)) die("the program");
    for (int i = 0; i < 256; ++i) {
        const int fd = (int)syscall(SYS_pidfd_getfd, pidfd, i, 0);
        if (fd < 0) continue;
        if (fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == wanted.st_rdev && drmIsMaster(fd))
            return fd;
        close(fd);
    }
    errno = ENOENT;
    die("the program is no DRM master");
    return -1;
}

static uint32_t property(int card, uint32_t object, uint32_t type, const char* name) {
    drmModeObjectProperties* const all = drmModeObjectGetProperties(card, object, type);
    for (uint32_t i = 0; all && i < all->count_props; ++i) {
        drmModePropertyRes* const p = drmModeGetProperty(card, all->props[i]);
        if (p && !strcmp(p->name, name)) return p->prop_id;
    }
    errno = ENOENT;
    die(name);
    return 0;
}

/// The card's first connector that is a writeback connector, or that is none.
static uint32_t find_connector(int card, int writeback) {
    drmModeRes* const res = drmModeGetResources(card);
    for (int i = 0; res && i < res->count_connectors; ++i) {
        drmModeConnector* const c = drmModeGetConnectorCurrent(card, res->connectors[i]);
        if (c && (c->connector_type == DRM_MODE_CONNECTOR_WRITEBACK) == writeback) return c->connector_id;
    }
    errno = ENOENT;
    die("the card has no writeback connector");
    return 0;
}

static void dump_writeback(const char* card_path, const char* path, pid_t pid) {
    const int card = borrow_master(card_path, pid);
    if (drmSetClientCap(card, DRM_CLIENT_CAP_ATOMIC, 1) ||
        drmSetClientCap(card, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1))
        die("writeback connectors");
    uint32_t shown = 0;
    drmModeCrtc* const crtc = find_crtc(card, &shown);
    const uint32_t connector = find_connector(card, 1), screen = find_connector(card, 0);
    struct drm_mode_create_dumb dumb = {
        .width = crtc->mode.hdisplay, .height = crtc->mode.vdisplay, .bpp = 32};
    if (drmIoctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &dumb)) die("a dumb buffer");
    uint32_t fb = 0;
    const uint32_t handles[4] = {dumb.handle}, pitches[4] = {dumb.pitch}, offsets[4] = {0};
    if (drmModeAddFB2(card, dumb.width, dumb.height, DRM_FORMAT_XRGB8888, handles, pitches, offsets, &fb, 0))
        die("drmModeAddFB2");
    int fence = -1;
    drmModeAtomicReq* const on = drmModeAtomicAlloc();
    const uint32_t crtc_id = property(card, connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID");
    // In place of the screen's connector: not every vkms allows two connectors for a CRTC.
    drmModeAtomicAddProperty(on, screen, crtc_id, 0);
    drmModeAtomicAddProperty(on, connector, crtc_id, crtc->crtc_id);
    drmModeAtomicAddProperty(on, connector,
                             property(card, connector, DRM_MODE_OBJECT_CONNECTOR, "WRITEBACK_FB_ID"), fb);
    drmModeAtomicAddProperty(on, connector,
                             property(card, connector, DRM_MODE_OBJECT_CONNECTOR, "WRITEBACK_OUT_FENCE_PTR"),
                             (uint64_t)(uintptr_t)&fence);
    if (drmModeAtomicCommit(card, on, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL))
        die("the commit with the writeback connector");
    struct pollfd written = {fence, POLLIN, 0};
    if (poll(&written, 1, 20000) != 1) die("the writeback's fence");
    const Picture p = {DRM_FORMAT_XRGB8888,   dumb.width,
                       dumb.height,           dumb.pitch,
                       DRM_FORMAT_MOD_LINEAR, map_handle(card, dumb.handle, dumb.size)};
    write_picture(&p, path);
    // Restore the previous state, because the program continues.
    drmModeAtomicReq* const off = drmModeAtomicAlloc();
    drmModeAtomicAddProperty(off, screen, crtc_id, crtc->crtc_id);
    drmModeAtomicAddProperty(off, connector, crtc_id, 0);
    if (drmModeAtomicCommit(card, off, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL))
        die("the commit without the writeback connector");
    drmModeRmFB(card, fb);
    struct drm_mode_destroy_dumb destroy = {.handle = dumb.handle};
    drmIoctl(card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

int main(int argc, char** argv) {
    if (argc == 4 && !strcmp(argv[1], "fb")) {
        const int card = open(argv[2], O_RDWR | O_CLOEXEC);
        if (card < 0) die(argv[2]);
        drmDropMaster(card);  // the first program that opens a card becomes its master
        dump_framebuffer(card, argv[3]);
    } else if (argc == 5 && !strcmp(argv[1], "writeback")) {
        dump_writeback(argv[2], argv[3], (pid_t)atoi(argv[4]));
    } else {
        fprintf(stderr, "usage: scanout fb CARD FILE.ppm | scanout writeback CARD FILE.ppm PID\n");
        return 2;
    }
    return 0;
}
