// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_MESA_image_dma_buf_export: exports an EGLImage's memory. EGL_MESA_query_driver.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "api/egl/dmabuf.h"
#include "api/egl/entry.h"
#include "state_tracker/image_export.h"

using namespace terrazzo;
using namespace terrazzo::egl;

namespace {

/// The exported planes of an image. The destructor closes the descriptors.
struct Exported {
    const pipe::FourccRow* row = nullptr;
    pipe::SharedImage plane[pipe::kMaxPlanes];
    Exported() = default;
    Exported(const Exported&) = delete;
    Exported& operator=(const Exported&) = delete;
    ~Exported() {
        for (const pipe::SharedImage& p : plane)
            if (p.fd >= 0) close(p.fd);
    }
};

/// Moves the storage into memory that can be exported. False: the error is set. Call without the display's
/// lock, since rendering may have to finish.
bool move_storage(Call& call, const Display& display, st::Image& image,
                  std::span<const pipe::Ref<st::Image>> others) {
    const pipe::Ref<Context> current = thread_state().context;
    if (!current || current->display != &display)
        return call.fail(EGL_BAD_ACCESS,
                         "the image's storage must move to be shared, for which a context of its "
                         "share group must be current");
    std::string why;
    switch (st::make_exportable(*current->gl, image, others, &why)) {
        case st::ImageResult::Ok:
            return true;
        case st::ImageResult::OutOfMemory:
            return call.fail(EGL_BAD_ALLOC, why);
        case st::ImageResult::BadMatch:
            return call.fail(EGL_BAD_MATCH, why);
        case st::ImageResult::BadParameter:
        case st::ImageResult::BadAccess:
            break;
    }
    return call.fail(EGL_BAD_ACCESS, why);
}

/// Exports an image; releases the display's lock. False: the error is set.
bool export_image(Call& call, EGLImageKHR handle, Exported* out) {
    Display& display = call.display();
    EglImage* const found = display.images.find(handle);
    if (!found || !found->image)
        return call.fail(EGL_BAD_PARAMETER, "the image is not one of this display's");
    const pipe::Ref<st::Image> image = found->image;
    const std::shared_ptr<pipe::Screen> screen = display.screen;
    std::vector<pipe::Ref<st::Image>> others;
    display.images.for_each([&](EglImage& i) {
        if (i.image && !(i.image == image)) others.push_back(i.image);
    });
    call.unlock();
    out->row = fourcc_row(*image);
    if (!out->row) return call.fail(EGL_BAD_MATCH, "the image's format has no name in drm_fourcc.h");
    if (!screen->export_resource(*snapshot(*image)->resource, &out->plane[0])) {
        if (!image->yuv && !move_storage(call, display, *image, others)) return false;
        if (!screen->export_resource(*snapshot(*image)->resource, &out->plane[0]))
            return call.fail(EGL_BAD_ALLOC, "no file descriptor is left");
    }
    for (unsigned n = 1; n < out->row->planes; ++n)
        if (!screen->export_resource(*image->yuv->chroma[n - 1], &out->plane[n]))
            return call.fail(EGL_BAD_ALLOC, "no file descriptor is left");
    return true;
}

}  // namespace

extern "C" {

EGLBoolean EGLAPIENTRY eglExportDMABUFImageQueryMESA(EGLDisplay dpy, EGLImageKHR image, int* fourcc,
                                                     int* num_planes, EGLuint64KHR* modifiers) {
    return guarded<EGLBoolean>("eglExportDMABUFImageQueryMESA", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglExportDMABUFImageQueryMESA");
        Exported e;
        if (!call.open(dpy) || !export_image(call, image, &e)) return EGL_FALSE;
        if (fourcc) *fourcc = int(e.row->code);
        if (num_planes) *num_planes = e.row->planes;
        for (unsigned n = 0; modifiers && n < e.row->planes; ++n)
            modifiers[n] = e.plane[0].modifier;
        return call.done();
    });
}

EGLBoolean EGLAPIENTRY eglExportDMABUFImageMESA(EGLDisplay dpy, EGLImageKHR image, int* fds, EGLint* strides,
                                                EGLint* offsets) {
    return guarded<EGLBoolean>("eglExportDMABUFImageMESA", EGL_FALSE, [&]() -> EGLBoolean {
        Call call("eglExportDMABUFImageMESA");
        Exported e;
        if (!call.open(dpy) || !export_image(call, image, &e)) return EGL_FALSE;
        for (unsigned n = 0; n < e.row->planes; ++n) {
            if (strides) strides[n] = EGLint(e.plane[n].stride_B);
            if (offsets) offsets[n] = EGLint(e.plane[n].offset_B);
            if (fds) fds[n] = std::exchange(e.plane[n].fd, -1);
        }
        return call.done();
    });
}

const char* EGLAPIENTRY eglGetDisplayDriverName(EGLDisplay dpy) try {
    Call call("eglGetDisplayDriverName");
    if (!call.open(dpy)) return nullptr;
    succeed();
    return call.display().screen->caps().driver;
} catch (const std::bad_alloc&) {
    return out_of_memory<const char*>("eglGetDisplayDriverName", nullptr);
}

char* EGLAPIENTRY eglGetDisplayDriverConfig(EGLDisplay dpy) try {
    Call call("eglGetDisplayDriverConfig");
    if (!call.open(dpy)) return nullptr;
    // There are no options for configuration programs: Terrazzo's variables are for developers.
    static constexpr char kNoOptions[] =
        "<?xml version=\"1.0\" standalone=\"yes\"?>\n"
        "<!DOCTYPE driinfo [\n"
        "   <!ELEMENT driinfo      (section*)>\n"
        "   <!ELEMENT section      (description+, option+)>\n"
        "   <!ELEMENT description  (enum*)>\n"
        "   <!ATTLIST description  lang CDATA #REQUIRED\n"
        "                          text CDATA #REQUIRED>\n"
        "   <!ELEMENT option       (description+)>\n"
        "   <!ATTLIST option       name CDATA #REQUIRED\n"
        "                          type (bool|enum|int|float) #REQUIRED\n"
        "                          default CDATA #REQUIRED\n"
        "                          valid CDATA #IMPLIED>\n"
        "   <!ELEMENT enum         EMPTY>\n"
        "   <!ATTLIST enum         value CDATA #REQUIRED\n"
        "                          text CDATA #REQUIRED>\n"
        "]>\n"
        "<driinfo>\n</driinfo>\n";
    char* const copy = strdup(kNoOptions);
    if (!copy) {
        call.fail(EGL_BAD_ALLOC, "out of memory");
        return nullptr;
    }
    succeed();
    return copy;
} catch (const std::bad_alloc&) {
    return out_of_memory<char*>("eglGetDisplayDriverConfig", nullptr);
}

}  // extern "C"
