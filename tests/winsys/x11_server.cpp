// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: the X protocol (version 11), xorgproto's dri3proto.txt, presentproto.txt, fixesproto.txt, shm.txt.
// Requests and replies are read and written as XCB's structs.
#include "tests/winsys/x11_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/shm.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>

namespace terrazzo::winsys::test {
namespace {

constexpr uint8_t kDri3 = 130, kPresent = 131, kFixes = 132, kShm = 133;
constexpr uint16_t kMaxRequest_dw = 4096;  // small, so that pictures are split
constexpr size_t kMaxDescriptors = 16;

template <class T>
T as(const std::vector<uint8_t>& bytes, size_t offset = 0) {
    T t{};
    if (bytes.size() > offset)
        std::memcpy(&t, bytes.data() + offset, std::min(sizeof t, bytes.size() - offset));
    return t;
}

template <class T>
void append(std::vector<uint8_t>& out, const T& t) {
    const size_t end = out.size();
    out.resize(end + sizeof t);
    std::memcpy(out.data() + end, &t, sizeof t);
}

std::vector<std::vector<int>> rectangles(const std::vector<uint8_t>& request, size_t offset) {
    std::vector<std::vector<int>> out;
    for (; offset + sizeof(xcb_rectangle_t) <= request.size(); offset += sizeof(xcb_rectangle_t)) {
        const auto r = as<xcb_rectangle_t>(request, offset);
        out.push_back({r.x, r.y, r.width, r.height});
    }
    return out;
}

void append_depth(std::vector<uint8_t>& out, uint8_t depth, uint32_t visual) {
    append(out, xcb_depth_t{depth, 0, 1, {}});
    append(out, xcb_visualtype_t{visual, XCB_VISUAL_CLASS_TRUE_COLOR, 8, 256, 0xff0000, 0xff00, 0xff, {}});
}

}  // namespace

X11Server::X11Server(X11ServerOptions o) : options(std::move(o)) {
    static std::atomic<int> count{0};
    const int number = 100000 + int(getpid()) % 100000 * 100 + count++;
    name_ = ":" + std::to_string(number);
    listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;  // in the abstract namespace, which libxcb tries first
    const std::string path = "/tmp/.X11-unix/X" + std::to_string(number);
    std::memcpy(address.sun_path + 1, path.data(), path.size());
    (void)bind(listener_, reinterpret_cast<sockaddr*>(&address),
               socklen_t(offsetof(sockaddr_un, sun_path) + 1 + path.size()));
    (void)listen(listener_, 1);
    stop_ = eventfd(0, EFD_CLOEXEC);
    thread_ = std::thread([this] { serve(); });
}

X11Server::~X11Server() {
    (void)eventfd_write(stop_, 1);
    thread_.join();
    for (auto& [id, p] : pixmaps)
        close(p.fd);
    for (int fd : fds_)
        close(fd);
    if (segment_) munmap(segment_, segment_B_);
    close(listener_), close(stop_);
    if (client_ >= 0) close(client_);
}

bool X11Server::wait(const std::function<bool()>& done) {
    std::unique_lock lock(mutex);
    return changed_.wait_for(lock, std::chrono::seconds(10), done);
}

void X11Server::serve() {
    for (;;) {
        int watched;
        {
            std::lock_guard lock(mutex);
            watched = client_ >= 0 ? client_ : listener_;
        }
        pollfd p[]{{stop_, POLLIN, 0}, {watched, POLLIN, 0}};
        if (poll(p, 2, -1) < 0 || p[0].revents) return;
        if (!p[1].revents) continue;
        if (watched == listener_) {
            const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            std::lock_guard lock(mutex);
            client_ = fd;
            sequence_ = 0;
            in_.clear();
            if (fd < 0 || !send_setup()) return;
        } else if (!read_requests()) {
            std::lock_guard lock(mutex);
            if (client_ >= 0) close(client_);
            client_ = -1;
            changed_.notify_all();
        }
    }
}

/// False if the client is gone.
bool X11Server::read_requests() {
    uint8_t bytes[65536];
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))];
    iovec vector{bytes, sizeof bytes};
    msghdr m{};
    m.msg_iov = &vector, m.msg_iovlen = 1;
    m.msg_control = control, m.msg_controllen = sizeof control;
    std::lock_guard lock(mutex);
    const ssize_t n = client_ < 0 ? 0 : recvmsg(client_, &m, MSG_CMSG_CLOEXEC);
    if (n <= 0) return false;
    for (cmsghdr* c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
        for (size_t i = 0; c->cmsg_type == SCM_RIGHTS && i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
            int fd;
            std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            fds_.push_back(fd);
        }
    in_.insert(in_.end(), bytes, bytes + n);
    while (in_.size() >= 4) {
        const size_t size_B = size_t(as<xcb_query_extension_request_t>(in_).length) * 4;
        if (size_B < 4 || in_.size() < size_B) break;
        const std::vector<uint8_t> request(in_.begin(), in_.begin() + ptrdiff_t(size_B));
        in_.erase(in_.begin(), in_.begin() + ptrdiff_t(size_B));
        ++sequence_;
        handle(request);
    }
    changed_.notify_all();
    return true;
}

bool X11Server::send_setup() {
    uint8_t hello[12];
    if (recv(client_, hello, sizeof hello, MSG_WAITALL) != sizeof hello) return false;
    uint16_t lengths[2];  // of an authorization, which is ignored
    std::memcpy(lengths, hello + 6, sizeof lengths);
    std::vector<uint8_t> authorization(((lengths[0] + 3u) & ~3u) + ((lengths[1] + 3u) & ~3u));
    if (!authorization.empty() && recv(client_, authorization.data(), authorization.size(), MSG_WAITALL) !=
                                      ssize_t(authorization.size()))
        return false;
    std::vector<uint8_t> out;
    xcb_setup_t s{};
    s.status = 1, s.protocol_major_version = 11;
    s.resource_id_base = 0x400000, s.resource_id_mask = 0x1fffff;
    s.maximum_request_length = kMaxRequest_dw;
    s.roots_len = 1, s.pixmap_formats_len = 2;
    s.bitmap_format_scanline_unit = s.bitmap_format_scanline_pad = 32;
    s.min_keycode = 8, s.max_keycode = 255;
    append(out, s);
    append(out, xcb_format_t{24, 32, 32, {}});
    append(out, xcb_format_t{32, 32, 32, {}});
    xcb_screen_t screen{};
    screen.root = 0x100, screen.width_in_pixels = 640, screen.height_in_pixels = 480;
    screen.root_visual = kVisual24, screen.root_depth = 24, screen.allowed_depths_len = 2;
    append(out, screen);
    append_depth(out, 24, kVisual24);
    append_depth(out, 32, kVisual32);
    const auto length_dw = uint16_t((out.size() - 8) / 4);
    std::memcpy(out.data() + offsetof(xcb_setup_t, length), &length_dw, sizeof length_dw);
    send(out.data(), out.size());
    return true;
}

void X11Server::send(const void* bytes, size_t size_B) {
    if (client_ >= 0) (void)::send(client_, bytes, size_B, MSG_NOSIGNAL);
}

template <class T>
void X11Server::reply(T r, const void* more, size_t more_B, int fd) {
    r.response_type = 1;
    r.sequence = sequence_;
    std::vector<uint8_t> out;
    append(out, r);
    out.resize(32);  // replies are at least that long
    if (more_B)
        out.insert(out.end(), static_cast<const uint8_t*>(more), static_cast<const uint8_t*>(more) + more_B);
    const auto length_dw = uint32_t((out.size() - 32) / 4);
    std::memcpy(out.data() + 4, &length_dw, sizeof length_dw);
    if (fd < 0) return send(out.data(), out.size());
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)]{};
    iovec vector{out.data(), out.size()};
    msghdr m{};
    m.msg_iov = &vector, m.msg_iovlen = 1;
    m.msg_control = control, m.msg_controllen = sizeof control;
    cmsghdr* c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(c), &fd, sizeof fd);
    (void)sendmsg(client_, &m, MSG_NOSIGNAL);
}

void X11Server::error(uint8_t code, const std::vector<uint8_t>& request) {
    xcb_generic_error_t e{};
    e.error_code = code;
    e.sequence = sequence_;
    e.major_code = request[0];
    e.minor_code = request[1];
    send(&e, 32);
}

int X11Server::take_fd() {
    if (fds_.empty()) return -1;
    const int fd = fds_.front();
    fds_.pop_front();
    return fd;
}

void X11Server::handle(const std::vector<uint8_t>& request) {
    switch (request[0]) {
        case kDri3:
            return handle_dri3(request);
        case kPresent:
            return handle_present(request);
        case kFixes:
            return handle_fixes(request);
        case kShm:
            return handle_shm(request);
        default:
            return handle_core(request);
    }
}

void X11Server::handle_core(const std::vector<uint8_t>& request) {
    switch (request[0]) {
        case XCB_QUERY_EXTENSION: {
            const auto r = as<xcb_query_extension_request_t>(request);
            const std::string name(reinterpret_cast<const char*>(request.data()) + sizeof r, r.name_len);
            const uint8_t opcode = name == "DRI3"      ? (options.dri3 ? kDri3 : 0)
                                   : name == "Present" ? (options.dri3 ? kPresent : 0)
                                   : name == "XFIXES"  ? kFixes
                                   : name == "MIT-SHM" ? (options.shm ? kShm : 0)
                                                       : 0;
            xcb_query_extension_reply_t out{};
            out.present = opcode != 0;
            out.major_opcode = opcode;
            return reply(out);
        }
        case XCB_GET_GEOMETRY: {
            if (!window_exists_ || as<xcb_get_geometry_request_t>(request).drawable != kWindow)
                return error(XCB_DRAWABLE, request);
            xcb_get_geometry_reply_t out{};
            out.depth = options.depth;
            out.width = options.width, out.height = options.height;
            return reply(out);
        }
        case XCB_GET_INPUT_FOCUS:
            return reply(xcb_get_input_focus_reply_t{});
        case XCB_CHANGE_WINDOW_ATTRIBUTES:
            selects_structure_ = (as<uint32_t>(request, 12) & XCB_EVENT_MASK_STRUCTURE_NOTIFY) != 0;
            return;
        case XCB_PUT_IMAGE: {
            const auto r = as<xcb_put_image_request_t>(request);
            ++put_requests;
            return draw(request.data() + sizeof r, uint32_t(r.dst_x), uint32_t(r.dst_y), r.width, r.height);
        }
        case XCB_FREE_PIXMAP: {
            const auto it = pixmaps.find(as<xcb_free_pixmap_request_t>(request).pixmap);
            if (it == pixmaps.end()) return error(XCB_PIXMAP, request);
            close(it->second.fd);
            pixmaps.erase(it);
            return;
        }
        case XCB_CREATE_GC:
        case XCB_FREE_GC:
            return;
        default:
            return error(XCB_REQUEST, request);
    }
}

void X11Server::draw(const uint8_t* pixels, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
    const uint32_t stride_B = options.width * 4u;
    drew_before_turn |= !frames.empty() && frames.back().serial != completed_serial_;
    picture.resize(size_t(stride_B) * options.height);
    for (uint32_t row = 0; row < height && y + row < options.height; ++row)
        std::memcpy(picture.data() + size_t(y + row) * stride_B + x * 4, pixels + size_t(row) * width * 4,
                    std::min(width * 4, stride_B - x * 4));
}

void X11Server::handle_dri3(const std::vector<uint8_t>& request) {
    switch (request[1]) {
        case XCB_DRI3_QUERY_VERSION: {
            xcb_dri3_query_version_reply_t out{};
            out.major_version = 1, out.minor_version = options.dri3_minor;
            return reply(out);
        }
        case XCB_DRI3_OPEN: {
            const int fd = options.node ? open(options.node, O_RDWR | O_CLOEXEC) : -1;
            if (fd < 0) return error(XCB_ALLOC, request);
            xcb_dri3_open_reply_t out{};
            out.nfd = 1;
            reply(out, nullptr, 0, fd);
            close(fd);
            return;
        }
        case XCB_DRI3_GET_SUPPORTED_MODIFIERS: {
            xcb_dri3_get_supported_modifiers_reply_t out{};
            out.num_window_modifiers = uint32_t(options.window_modifiers.size());
            out.num_screen_modifiers = uint32_t(options.screen_modifiers.size());
            std::vector<uint64_t> all = options.window_modifiers;
            all.insert(all.end(), options.screen_modifiers.begin(), options.screen_modifiers.end());
            return reply(out, all.data(), all.size() * 8);
        }
        case XCB_DRI3_PIXMAP_FROM_BUFFER: {
            const auto r = as<xcb_dri3_pixmap_from_buffer_request_t>(request);
            pixmaps[r.pixmap] = {take_fd(), r.width, r.height, r.stride, 0, 0, true};
            return;
        }
        case XCB_DRI3_PIXMAP_FROM_BUFFERS: {
            const auto r = as<xcb_dri3_pixmap_from_buffers_request_t>(request);
            const int fd = take_fd();
            if (options.refused_modifiers.count(r.modifier)) {
                close(fd);
                return error(XCB_ALLOC, request);
            }
            pixmaps[r.pixmap] = {fd, r.width, r.height, r.stride0, r.offset0, r.modifier, false};
            return;
        }
        default:
            return error(XCB_REQUEST, request);
    }
}

void X11Server::handle_present(const std::vector<uint8_t>& request) {
    switch (request[1]) {
        case XCB_PRESENT_QUERY_VERSION: {
            xcb_present_query_version_reply_t out{};
            out.major_version = 1, out.minor_version = options.present_minor;
            return reply(out);
        }
        case XCB_PRESENT_SELECT_INPUT:
            event_id_ = as<xcb_present_select_input_request_t>(request).eid;
            return;
        case XCB_PRESENT_PIXMAP:
            return present(request);
        default:
            return error(XCB_REQUEST, request);
    }
}

void X11Server::present(const std::vector<uint8_t>& request) {
    const auto r = as<xcb_present_pixmap_request_t>(request);
    if (!window_exists_) return error(XCB_WINDOW, request);
    if (options.refuses_present) return error(XCB_MATCH, request);
    if (!pixmaps.count(r.pixmap)) return error(XCB_PIXMAP, request);
    const bool everything = r.update == 0;
    frames.push_back({r.pixmap, r.serial, r.options, r.target_msc, everything,
                      everything ? std::vector<std::vector<int>>{} : regions_[r.update]});
    pixmap_of_[r.serial] = r.pixmap;
    if (!options.shows_at_once) return;
    send_complete(r.serial, ++msc_, XCB_PRESENT_COMPLETE_MODE_FLIP);
    if (shown_serial_) send_idle(shown_serial_);
    shown_serial_ = r.serial;
}

void X11Server::send_complete(uint32_t serial, uint64_t msc, uint8_t mode) {
    completed_serial_ = serial;
    xcb_present_complete_notify_event_t e{};
    e.response_type = XCB_GE_GENERIC;
    e.extension = kPresent;
    e.sequence = sequence_;
    e.length = 2;  // 40 bytes
    e.event_type = XCB_PRESENT_COMPLETE_NOTIFY;
    e.mode = mode;
    e.event = event_id_, e.window = kWindow, e.serial = serial, e.msc = msc;
    uint8_t out[40];  // XCB's struct has an additional number after the first 32 bytes
    std::memcpy(out, &e, 32);
    std::memcpy(out + 32, &msc, sizeof msc);
    send(out, sizeof out);
}

void X11Server::send_idle(uint32_t serial) {
    xcb_present_idle_notify_event_t e{};
    e.response_type = XCB_GE_GENERIC;
    e.extension = kPresent;
    e.sequence = sequence_;
    e.event_type = XCB_PRESENT_EVENT_IDLE_NOTIFY;
    e.event = event_id_, e.window = kWindow, e.serial = serial, e.pixmap = pixmap_of_[serial];
    send(&e, 32);
}

void X11Server::complete(uint32_t serial, uint64_t msc, uint8_t mode) {
    std::lock_guard lock(mutex);
    send_complete(serial, msc, mode);
}

void X11Server::idle(uint32_t serial) {
    std::lock_guard lock(mutex);
    send_idle(serial);
}

void X11Server::resize(uint16_t width, uint16_t height) {
    std::lock_guard lock(mutex);
    options.width = width, options.height = height;
    picture.clear();
}

void X11Server::destroy_window() {
    std::lock_guard lock(mutex);
    window_exists_ = false;
    if (!selects_structure_) return;
    xcb_destroy_notify_event_t e{};
    e.response_type = XCB_DESTROY_NOTIFY;
    e.sequence = sequence_;
    e.event = e.window = kWindow;
    uint8_t out[32]{};
    std::memcpy(out, &e, sizeof e);
    send(out, sizeof out);
}

void X11Server::hang_up() {
    std::lock_guard lock(mutex);
    if (client_ >= 0) (void)shutdown(client_, SHUT_RDWR);
}

void X11Server::handle_fixes(const std::vector<uint8_t>& request) {
    switch (request[1]) {
        case XCB_XFIXES_QUERY_VERSION: {
            xcb_xfixes_query_version_reply_t out{};
            out.major_version = 2;
            return reply(out);
        }
        case XCB_XFIXES_CREATE_REGION:
        case XCB_XFIXES_SET_REGION:
            regions_[as<xcb_xfixes_set_region_request_t>(request).region] =
                rectangles(request, sizeof(xcb_xfixes_set_region_request_t));
            return;
        case XCB_XFIXES_DESTROY_REGION:
            return;
        default:
            return error(XCB_REQUEST, request);
    }
}

void X11Server::handle_shm(const std::vector<uint8_t>& request) {
    switch (request[1]) {
        case XCB_SHM_QUERY_VERSION: {
            xcb_shm_query_version_reply_t out{};
            out.major_version = 1, out.minor_version = uint16_t(options.shm_minor);
            return reply(out);
        }
        case XCB_SHM_ATTACH_FD: {
            const int fd = take_fd();
            struct stat s {};
            if (options.refuses_shm || fstat(fd, &s) != 0) {
                close(fd);
                return error(XCB_ACCESS, request);
            }
            segment_B_ = size_t(s.st_size);
            segment_ = static_cast<uint8_t*>(mmap(nullptr, segment_B_, PROT_READ, MAP_SHARED, fd, 0));
            segment_attached = true;
            close(fd);
            return;
        }
        case XCB_SHM_PUT_IMAGE: {
            const auto r = as<xcb_shm_put_image_request_t>(request);
            if (!segment_ || size_t(r.total_width) * r.total_height * 4 > segment_B_)
                return error(XCB_VALUE, request);
            ++shm_puts;
            return draw(segment_, uint32_t(r.dst_x), uint32_t(r.dst_y), r.src_width, r.src_height);
        }
        case XCB_SHM_DETACH:
            if (segment_) munmap(segment_, segment_B_);
            segment_ = nullptr;
            segment_attached = false;
            return;
        default:
            return error(XCB_REQUEST, request);
    }
}

}  // namespace terrazzo::winsys::test
