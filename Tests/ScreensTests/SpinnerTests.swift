import TestLimit
import Testing

@testable import Screens

@MainActor
@Suite(.limited) struct SpinnerTests {
  @Test func itTurnsWhileItIsUsedAndBeginsAgain() async {
    let clock = HeldClock()
    let spinner = SharedSpinner(clock: clock)
    var symbols = [spinner.symbol]
    spinner.onTurn = { symbols.append(spinner.symbol) }
    var use: SharedSpinner.Use? = spinner.use()
    for _ in 0..<8 {
      await clock.waitForSleep()
      clock.endSleep()
    }
    await clock.waitForSleep()
    #expect(symbols.joined() == "⠋⠙⠹⠸⠼⠴⠦⠧⠋")
    clock.endSleep()
    await clock.waitForSleep()
    use = nil
    #expect(use == nil && clock.sleepCount == 0)
    use = spinner.use()
    await clock.waitForSleep()
    #expect(use != nil && spinner.symbol == "⠋")
  }
}
