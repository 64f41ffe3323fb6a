// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tests the X server: whether there is one, its features, and how frames reach it. XCB is opened at run time:
// without it this command must start, and report that. Source of the sockets' names: XCB's xcb_util.c.
#include "api/command/explain/probes.h"
#include "winsys/environment/environment.h"

#if TERRAZZO_X11
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "api/command/explain/displays.h"
#include "api/command/explain/run_time_library.h"
#endif

namespace terrazzo::command {
namespace {

constexpr char kX11[] = "X11";

#if TERRAZZO_X11

constexpr char kSockets[] = "/tmp/.X11-unix/X";

struct Xcb {
    decltype(&xcb_parse_display) parse_display;
    decltype(&xcb_connect) connect;
    decltype(&xcb_connection_has_error) has_error;
    decltype(&xcb_disconnect) disconnect;
    decltype(&xcb_get_setup) get_setup;
    decltype(&xcb_setup_roots_iterator) roots;
    decltype(&xcb_screen_next) next_screen;
    decltype(&xcb_query_extension) query_extension;
    decltype(&xcb_query_extension_reply) query_extension_reply;
    decltype(&xcb_generate_id) generate_id;
    decltype(&xcb_create_window) create_window;

    [[nodiscard]] bool load(std::string* why);
};

bool Xcb::load(std::string* why) {
    void* const xcb = open_library("libxcb.so.1", why);
    if (!xcb) return false;
    *why = "libxcb.so.1 has not its functions";
    return find(xcb, "xcb_parse_display", &parse_display) && find(xcb, "xcb_connect", &connect) &&
           find(xcb, "xcb_connection_has_error", &has_error) && find(xcb, "xcb_disconnect", &disconnect) &&
           find(xcb, "xcb_get_setup", &get_setup) && find(xcb, "xcb_setup_roots_iterator", &roots) &&
           find(xcb, "xcb_screen_next", &next_screen) && find(xcb, "xcb_query_extension", &query_extension) &&
           find(xcb, "xcb_query_extension_reply", &query_extension_reply) &&
           find(xcb, "xcb_generate_id", &generate_id) && find(xcb, "xcb_create_window", &create_window);
}

/// 0: a server listens; otherwise errno. The socket is in the file system, or (`abstract`) has a name without
/// a file.
int connect_error(const std::string& path, bool abstract) {
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::memcpy(a.sun_path + abstract, path.data(), std::min(path.size(), sizeof a.sun_path - 2));
    const auto size = socklen_t(offsetof(sockaddr_un, sun_path) + abstract + path.size() + !abstract);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int error =
        fd >= 0 && (connect(fd, reinterpret_cast<const sockaddr*>(&a), size) == 0 || errno == EAGAIN) ? 0
                                                                                                      : errno;
    if (fd >= 0) close(fd);
    return error;
}

/// xcb_connect(), which prints the reason if a server refuses: *printed gets that text.
xcb_connection_t* connect_and_listen(const Xcb& x, int* screen, std::string* printed) {
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) return x.connect(nullptr, screen);
    const int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    (void)dup2(pipe_ends[1], STDERR_FILENO);
    xcb_connection_t* const c = x.connect(nullptr, screen);
    char text[512];
    const ssize_t n = read(pipe_ends[0], text, sizeof text);
    if (n > 0) printed->assign(text, size_t(n));
    (void)dup2(before, STDERR_FILENO);
    for (const int fd : {before, pipe_ends[0], pipe_ends[1]})
        if (fd >= 0) close(fd);
    return c;
}

void explain_refusal(const Findings& out, const Xcb& x, const std::string& name, const std::string& printed) {
    char* host = nullptr;
    int number = 0, screen = 0;
    if (!x.parse_display(name.c_str(), &host, &number, &screen))
        return out.wrong(kX11, "DISPLAY=" + name + " is no name of a display", "DISPLAY=:0 or the like");
    const std::string where = host ? host : "";
    std::free(host);
    const std::string path = kSockets + std::to_string(number);
    const bool local = where.empty() || where == "unix";
    const int error = local ? connect_error(path, false) : 0;
    if (local && error && connect_error(path, true))
        return out.wrong(kX11,
                         "DISPLAY=" + name + ": no server listens at " + path + ": " + std::strerror(error),
                         "start the server, or unset DISPLAY");
    if (!printed.empty())
        return out.wrong(kX11, "DISPLAY=" + name + ": the server refuses: " + printed,
                         "XAUTHORITY=FILE with the server's cookie, or `xhost` on the server's side");
    out.wrong(kX11, "DISPLAY=" + name + ": no server answers" + (local ? "" : " at " + where),
              "start the server, or unset DISPLAY");
}

std::string describe(const Xcb& x, xcb_connection_t* c) {
    std::string out;
    for (const char* name : {"DRI3", "Present", "MIT-SHM"}) {
        xcb_query_extension_reply_t* const r =
            x.query_extension_reply(c, x.query_extension(c, uint16_t(std::strlen(name)), name), nullptr);
        out.append(out.empty() ? "" : ", ").append(r && r->present ? "" : "no ").append(name);
        std::free(r);
    }
    return out;
}

void explain_windows(const Findings& out, const Xcb& x, xcb_connection_t* c, int screen_number) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong(kX11, why, "install Terrazzo again");
    EGLDisplay d = egl.GetPlatformDisplay(EGL_PLATFORM_X11_EXT, EGL_DEFAULT_DISPLAY, nullptr);
    const Tried t = try_display(egl, d, false);
    if (!t.works) return out.wrong("X11 displays", t.why, "");
    xcb_screen_iterator_t s = x.roots(x.get_setup(c));
    while (screen_number-- > 0 && s.rem > 1)
        x.next_screen(&s);
    const xcb_window_t window = x.generate_id(c);
    x.create_window(c, XCB_COPY_FROM_PARENT, window, s.data->root, 0, 0, 64, 64, 0,
                    XCB_WINDOW_CLASS_INPUT_OUTPUT, s.data->root_visual, 0, nullptr);
    (void)describe(x, c);  // a round trip: the server knows the window afterwards
    const Window w = try_window(egl, d, EGLNativeWindowType(window), EGLint(s.data->root_visual));
    const std::string begin = t.device + " draws; ";
    if (!w.works)
        out.wrong("X11 windows", begin + "a frame could not be shown: " + w.why, "");
    else
        out.works("X11 windows", begin + (!w.how.empty() ? w.how
                                          : w.shared     ? "frames are shown without a copy"
                                                         : "frames are copied to the server"));
    egl.Terminate(d);
}

#endif

}  // namespace

void probe_x11(const Findings& out) {
#if TERRAZZO_X11
    const char* const name = winsys::environment(winsys::Variable::X11Display);
    if (!name || !*name) return out.unused(kX11, "DISPLAY is not set");
    if (winsys::has_elevated_rights())
        return out.unused(kX11,
                          "is used where the program itself has connected: this process has elevated rights");
    Xcb x{};
    std::string why, printed;
    if (!x.load(&why)) return out.wrong(kX11, why, "install libxcb");
    int screen = 0;
    xcb_connection_t* const c = connect_and_listen(x, &screen, &printed);
    if (!c || x.has_error(c)) return explain_refusal(out, x, name, printed);
    out.works(kX11, std::string("a server answers at DISPLAY=") + name + ": " + describe(x, c));
    explain_windows(out, x, c, screen);
    x.disconnect(c);
#else
    out.unused(kX11, "Terrazzo was built without it");
#endif
}

}  // namespace terrazzo::command
