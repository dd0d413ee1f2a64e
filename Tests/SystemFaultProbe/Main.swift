import FailingCalls
import TestSupport

/// Tries the operations of one engine with failing system calls; prints a line of figures, or what went wrong.
@main enum Main {
    static func main() throws {
        guard CommandLine.arguments.count == 2, let engine = Engine(rawValue: CommandLine.arguments[1]) else {
            print("usage: SystemFaultProbe ENGINE")
            return
        }
        guard failing_calls_are_in_place() else {
            print("unsupported")
            return
        }
        for operation in EngineOperation.allCases {
            for fault in SystemFault.allCases {
                do {
                    print("tried: \(operation) \(fault) \(try SystemFaultLoop(engine, operation, fault).run())")
                } catch {
                    failing_calls_disarm()
                    print("problem: \(error)")
                }
            }
        }
        print("done")
    }
}
