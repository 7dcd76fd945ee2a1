/// A disk that is full, for this process: files cannot grow beyond a size while the object lives.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace nodia::test {

class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t n_byte) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{n_byte, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace nodia::test
