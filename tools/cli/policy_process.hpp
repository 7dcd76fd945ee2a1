/// Generates datasets whose policy is a Python class. A Python process runs the class and generates
/// the blocks (python/nodia_tools/generate.py).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/build/scenario.hpp"
#include "scenarios/dataset/generator.hpp"

namespace nodia::cli {

class PolicyProcess {
 public:
  /// Starts the process, which constructs the class. It ends at the latest with this process.
  /// @param scenario  the policy of its task is a class
  /// @throws InputError if the class cannot be constructed, RuntimeError if Python is missing or
  /// the
  ///         package is of another build, Interrupted if an interrupt ended the process
  explicit PolicyProcess(const Scenario& scenario);
  ~PolicyProcess();
  PolicyProcess(const PolicyProcess&) = delete;
  PolicyProcess& operator=(const PolicyProcess&) = delete;

  /// Same as nodia::generate(). May be called once.
  /// @throws InputError if the file of the class differs from that of the request
  Generated generate(const std::string& folder, const DatasetRequest& request,
                     const GenerateOptions& options, const std::atomic<bool>& stop);

 private:
  void tell(const nlohmann::json& message) const;
  /// Waits for the next message of the process. If `stop` is set, it closes the input, which tells
  /// the process to stop. @throws the error that the process reports
  nlohmann::json answer(const std::atomic<bool>& stop);
  [[noreturn]] void throw_ended();
  bool has_ended() const;
  /// Waits until the process has ended, including the destruction of the class. @return its status
  int wait_for_end();
  void close_input();

  std::string policy_;
  pid_t process_ = -1;
  int input_ = -1, output_ = -1;  ///< descriptors of the standard streams of the process
  std::string read_;              ///< beginning of an incomplete message
};

}  // namespace nodia::cli
