/// Tests `nodia bench --calibrate` if the checked host backend fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tools/studies/calibrate.hpp"

namespace nodia::studies {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

class DeviceCalibrationFault : public testing::Test {
 protected:
  DeviceCalibrationFault() {
    checked_host().faulty_kernel = "start_roles";
    options_.quick = true;
  }
  ~DeviceCalibrationFault() override {
    checked_host().faulty_kernel.clear();
    checked_host().is_lost = false;
  }
  Calibration made() {
    ExecutionOptions on_device;
    on_device.backend = Backend::cuda;
    return calibrate(on_device, options_,
                     {[](const CalibrationPoint&) {},
                      [this](const CalibrationSkip& skip) { reasons_.push_back(skip.reason); }});
  }

  CalibrationOptions options_;
  std::vector<std::string> reasons_;
};

TEST_F(DeviceCalibrationFault, OfOneSizeIsToldAndTheOthersAreTried) {
  EXPECT_THAT(made().points, IsEmpty());
  EXPECT_GT(reasons_.size(), 1U);
  EXPECT_THAT(reasons_, Each(HasSubstr("illegal memory access")));
}

TEST_F(DeviceCalibrationFault, ThatLosesTheDeviceEndsIt) {
  checked_host().is_lost = true;
  EXPECT_THROW(made(), RuntimeError);
  EXPECT_THAT(reasons_, IsEmpty());
}

}  // namespace
}  // namespace nodia::studies
