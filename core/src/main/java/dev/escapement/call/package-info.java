/** The client, its calls, and the machine behind them. */
@NullMarked
package dev.escapement.call;

import org.jspecify.annotations.NullMarked;
