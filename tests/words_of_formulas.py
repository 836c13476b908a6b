"""The formulas that stay words, by their reasons, and those that have no number where nothing differs."""

WORDS = {
    "another procedure is called by its name, which has tests of its own": (
        r"P(W_0 \leq W^-) \text{ of the ranks of } $a + $margin - $b",
        r"P(W_0 \leq W^+) \text{ of the ranks of } $a - $margin - $b",
        r"\text{rank-biserial correlation of } $a - $b",
        r"\text{Shapiro and Wilk's, of } $x",
        r"P(W_0 \leq W) \text{ for } $x",
    ),
    "the set of all values that a test would not reject has no formula; test_intervals.py walks along its ends": (
        r"\text{signed-rank interval of } $a - $b \text{ at } 1 - 2\,$alpha",
        r"\text{exact odds of } $n10 : $n01 \text{ at level } $alpha <- $reject",
        r"\text{odds of } $n10 : $n01 \text{ at level } $alpha \text{, the count itself by half} <- $reject",
        r"\left\{\delta : \left|\frac{$difference - \delta}{\mathrm{SE}_\delta}\right| \leq "
        r"$critical_value\right\},\ \mathrm{SE}_\delta \text{ pooled as } $accuracy_a,\ $accuracy_b "
        r"\text{ of } $n,\ $n_b \text{ records are if } \pi_A - \pi_B = \delta",
        r"\left\{\delta : \frac{$difference - \delta}{\mathrm{SE}_\delta} \geq "
        r"$critical_value\right\},\ \mathrm{SE}_\delta \text{ pooled as } $accuracy_a,\ $accuracy_b "
        r"\text{ of } $n,\ $n_b \text{ records are if } \pi_A - \pi_B = \delta",
        r"\left\{\delta : \frac{$difference - \delta}{\mathrm{SE}_\delta} \leq "
        r"$critical_value\right\},\ \mathrm{SE}_\delta \text{ pooled as } $accuracy_a,\ $accuracy_b "
        r"\text{ of } $n,\ $n_b \text{ records are if } \pi_A - \pi_B = \delta",
    ),
    "which of the ordered values it is follows from counting ranks, exactly or roughly; test_intervals.py counts them anew": (
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ that } $alpha / 2 \text{ leaves on either side} "
        "<- $a $b $zeros $higher_is_better",
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ below which } $alpha \text{ is left} <- $a $b $zeros $higher_is_better",
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ above which } $alpha \text{ is left} <- $a $b $zeros $higher_is_better",
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ that } $alpha / 2 \text{ leaves on either side, roughly} "
        "<- $a $b $zeros $higher_is_better",
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ below which } $alpha \text{ is left, roughly} <- $a $b $zeros $higher_is_better",
        r"\text{ordered means } \frac{$d + d_j}{2} \text{ above which } $alpha \text{ is left, roughly} <- $a $b $zeros $higher_is_better",
        r"\text{ordered differences } $x - $y \text{ that } $alpha / 2 \text{ leaves on either side}",
        r"\text{ordered differences } $x - $y \text{ below which } $alpha \text{ is left}",
        r"\text{ordered differences } $x - $y \text{ above which } $alpha \text{ is left}",
        r"\text{ordered differences } $x - $y \text{ that } $alpha / 2 \text{ leaves on either side, roughly}",
        r"\text{ordered differences } $x - $y \text{ below which } $alpha \text{ is left, roughly}",
        r"\text{ordered differences } $x - $y \text{ above which } $alpha \text{ is left, roughly}",
    ),
    "a distribution that is counted, not computed; test_exact.py enumerates it": (
        r"\text{ranks of } $n_x \text{ drawn from } $ranks, \text{ summed, less the least}",
        r"\mathrm{Bin}\left($n, \frac{1}{2}\right) \text{, its last value counted by half}",
        r"\chi^2_F \text{ with } $tie_correction \text{ after permuting } $ranks \text{ in each line}",
        r"\chi^2_F \text{ after permuting } $ranks \text{ in each line}",
    ),
    "eigenvalues have no formula; test_anova.py computes them with other contrasts": (
        r"m\text{-th eigenvalue of } H C H^T,\ C = ($covariance)",
    ),
    "a walk through all sets of hypotheses; test_ladders.py enumerates them": (
        r"\text{all pairs of } $labels",
        r"\text{each other of } $labels \text{ with } $control",
        r"\max\{i \leq $m : p_{(m - i + l)} > l\,$alpha / i \text{ for } l = 1, \ldots, i\} \text{ of } $sorted_pvalues",
        r"\max_{i \leq $m}\ \min\left\{i\,$sorted_pvalues,\ \frac{i}{1}\,p_{(m - i + "
        r"1)},\ \frac{i}{2}\,p_{(m - i + 2)},\ \ldots,\ \frac{i}{i}\,p_{(m)}\right\}",
        r"\bigcup_{j = 1}^{$k} \left\{\frac{j (j - 1)}{2} + x : x \in S($k - j)\right\}",
        r"\max\left\{|I| : I \ni $order,\ p_g > \frac{$alpha}{|I|} \text{ for all other } g \in I\right\} \text{ of } $pairs, $pvalues",
        r"\min\left\{1,\ \max_{I \ni h}\ |I| \min_{g \in I} p_g\right\} \text{ of } $pvalues \text{ for "
        r"} h = $order \text{ and exhaustive sets } I \text{ of } $pairs",
        r"\#\{\text{partitions of } 1, \ldots, $k\}",
    ),
    "an integral, or shares of draws and of pairs; test_bayes.py and test_hierarchical.py compute them anew": (
        r"P\left(${posterior}_c = \max $posterior\right)",
        r"\#\{i \leq j : \frac{d_i + d_j}{2} < -$rope,\ \text{else},\ > $rope\},\ d_i = $a - $b",
        r"\sum_{i,j} w_i w_j\,[\frac{d_i + d_j}{2} \text{ beyond or within } \pm $rope],\ d_i = $a - $b,\ d_0 = 0,\ w "
        r"\sim \mathrm{Dirichlet}($prior, 1, \ldots, 1),\ $draws \text{ draws } <- $rng",
        r"\text{mean of } ${posterior}_c",
        r"p(\mu_0, \sigma_0, \nu)\,\prod_i \int \int N(x_i; \mu, \Sigma(\sigma, \rho))\,t_\nu(\mu; \mu_0, "
        r"\sigma_0^2)\,d\sigma\,d\mu <- $n $means $sds $rho $mean_bound $sd_bound $scale_bound $shape $rate $nodes",
        r"\left(P(\mu < -$rope),\ P(-$rope \leq \mu \leq $rope),\ P(\mu > $rope)\right),\ \mu \sim t_\nu(\mu_0, \sigma_0^2) <- $population",
        r"\text{how far } P_c \text{ is from that of a grid with half the nodes } <- $posterior",
        r"\text{ends that leave } \frac{$alpha}{2} \text{ of } \mu_0 \text{ on either side } <- $population",
        r"\text{mean of } \mu_i <- $population",
        r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies below } <- $population",
        r"\frac{$alpha}{2} \text{ of } \mu_i \text{ lies above } <- $population",
    ),
    "a sum over whole numbers, of which there is no column; test_false_discoveries.py compares with SciPy": (
        r"\sum_{i = 1}^{$m} \frac{1}{i}",
    ),
    "means and shares of weighted points; test_bradley_terry.py integrates, and walks a chain": (
        r"\#\{i : j \text{ better than } l\} <- $scores $pairs $labels $higher_is_better",
        r"\#\{i : l \text{ better than } j\} <- $scores $pairs $labels $higher_is_better",
        r"\#\{i : j \text{ as good as } l\} <- $scores $pairs $labels $higher_is_better",
        r"\prod_h \pi_h^{$won} (1 - \pi_h)^{$lost} \prod_j N(\beta_j; 0, \sigma^2)\, N(\ln \sigma; 0, $tau^2) <- $k $points",
        r"\text{mean of } \beta_j \text{ less that of all } <- $posterior",
        r"P(\beta_j = \max \beta) <- $posterior",
        r"\text{mean of } \pi_h <- $posterior",
        r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies below } <- $posterior",
        r"\frac{$alpha}{2} \text{ of } \pi_h \text{ lies above } <- $posterior",
        r"\frac{$alpha}{2} \text{ of } e_j \text{ lies below } <- $posterior",
        r"\frac{$alpha}{2} \text{ of } e_j \text{ lies above } <- $posterior",
        r"P(\pi_h > 1/2) <- $posterior",
        r"\left(P(\pi_h < 1/2 - $rope),\ P(\text{between}),\ P(\pi_h > 1/2 + $rope)\right) <- $posterior",
        r"\text{largest standard error of } P_{hs} \text{ by 8 sets of points } <- $posterior $rope",
    ),
    "a mixture of Student's t's; test_multilevel.py takes normals on a plain grid": (
        r"t_{$n (k - 1)}\left(B (b_j - b_l),\ \frac{2 B}{$n} \cdot \frac{$ss_error + \sum_j b_j^2 / v}{$n (k - 1)}\right) "
        r"\text{ mixed over } \tau / \sigma <- $effects $prior",
        r"\text{mean of } B <- $posterior",
        r"E[\beta_j] - E[\beta_l] <- $shrunk $pairs $labels",
        r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies below } <- $posterior",
        r"\frac{$alpha}{2} \text{ of } \delta_h \text{ lies above } <- $posterior",
        r"\left(P(\delta_h < -$rope),\ P(\text{between}),\ P(\delta_h > $rope)\right) <- $posterior",
    ),
    "quantiles of chi-squared by their index; test_scatter.py takes SciPy's": (
        r"\left[\frac{5\,$scatter}{\chi^2_{5,1 - $alpha/2}},\ \frac{5\,$scatter}{\chi^2_{5,$alpha/2}}\right]",
    ),
    "quantiles of F by their index; test_training.py takes SciPy's": (
        r"\max\left\{0,\ \left(\frac{$f_ratios}{f_+} - 1\right) / ($n_seeds,\ $n_splits)_f\right\},\ "
        r"P(F_{\nu_f,\ \nu_3} \geq f_+) = \frac{$alpha}{2} \text{ of } $df",
        r"\max\left\{0,\ \left(\frac{$f_ratios}{f_-} - 1\right) / ($n_seeds,\ $n_splits)_f\right\},\ "
        r"P(F_{\nu_f,\ \nu_3} \leq f_-) = \frac{$alpha}{2} \text{ of } $df",
    ),
    "all resamples of some pairs, and the ends of their middle; test_training.py counts every resample": (
        r"\text{share of wins in $n draws from $n pairs, } $wins \text{ won and } $ties \text{ tied}",
        r"[\min\{x : P($resampled \leq x) \geq $alpha / 2\},\ \max\{x : P($resampled \geq x) \geq $alpha / 2\}]",
        r"0 \notin $ci",
        r"\min $ci > \frac{1}{2}",
        r"$reject \text{ and } \max $ci > $gamma",
    ),
    "a metric is called by its name, and its difference on drawn records; test_any_metric.py computes them in plain loops": (
        r"\text{metric of } $a \text{ for } $y_true <- $b $metric",
        r"\text{metric of } $b \text{ for } $y_true <- $a $metric",
        r"\text{D of } $draws \text{ resamples of } $y_true, $a, $b <- $metric $rng",
        r"\text{how far } $resampled \text{ stray}",
        r"\Phi^{-1}\left(P($resampled < $statistic) + \frac{1}{2} P($resampled = $statistic)\right)",
        r"\frac{\sum_i (\bar D - D_{(i)})^3}{6 \left(\sum_i (\bar D - D_{(i)})^2\right)^{3/2}},\ D_{(i)} \text{ without record } i "
        "<- $y_true $a $b $metric",
        r"\text{D less } $resampled <- $statistic",
        r"\text{D less } $resampled \text{, corrected by } $bias \text{ and } $acceleration <- $statistic",
        *(
            r"\text{what } $null \text{ does not reject, with } $alpha" + side
            for side in (r" / 2 \text{ on either side}", r" \text{ below}", r" \text{ above}")
        ),
        r"\#\{\text{outcomes of } $a \text{ and } $b \text{ differ}\} <- $y_true $metric",
        r"\text{D with } $a \text{ and } $b \text{ exchanged at random } <- $y_true $metric $draws $rng",
        r"\sqrt{\frac{$pvalue (1 - $pvalue)}{B}} \text{ of draws, 0 of all ways } <- $null",
    ),
    "order statistics from either end up to the middle, of which there are half as many as values": (
        r"x_{(n + 1 - k)} - $median, \text{ of } $x \text{ sorted}",
        r"$median - x_{(k)}, \text{ of } $x \text{ sorted}",
    ),
    "z with alpha above it, where other pages write z with 1 - alpha below it; squared they are the same": (
        r"\frac{(z_{$alpha} + z_{$beta / 2})\,$sd}{$margin}",
    ),
    "a word for a number that is no slot": (
        r"|$statistic| \geq $one_sided_critical_value \text{ (Anna and Ben)},\ |$statistic| \geq $critical_value \text{ (Carla)}",
        r"\text{test of independence on } $table",
        r"\frac{($difference)^2}{2\,\bar\pi (1 - \bar\pi) / $records},\ \bar\pi \text{ the mean "
        r"of the accuracies, from } $right_a \text{ and } $right_b",
        r"$table \text{ with } u \neq v",
        r"\frac{$table \text{ with } u = 0,\ v = 1}{N}",
        r"$records - \#\{\text{both right}\} \text{ of } $table",
        r"\max\{w : P(W^- = v) \leq $alpha / 2 \text{ for each } v \leq w\},\ \text{ranks } 1, \ldots, $n",
        r"\frac{$n ($n + 1)}{2} - \max\{w : P(W^- \leq w) \leq $alpha / 2\}",
        r"21 - \#\{n : \text{printed wrong}\},\ $column",
        r"P(F_{\nu_1 - 1,\ \nu_2 - 1} \geq $f),\ \nu \text{ of } $f_degrees",
        r"\frac{n_1}{n_2} = $n - 1",
        r"\frac{$mean + $margin}{$se} \sqrt{\frac{n}{n - 1}},\ n \text{ the number of } $d",
        r"\frac{$wins}{n} \text{ of } $coins",
        r"\frac{$mean}{$se} \text{ if } \mathrm{SE} > 0, \text{ else } 0 \text{ or } \infty",
    ),
    "ranks and ladders as somebody walks them by hand: the words say in which order": (
        r"\mathrm{sort}(\mathrm{rank}\,|$d|) \text{ from the top}",
        r"1 + \#\{\text{different } s_{il} > s_{ij}\} \text{ of } $scores",
        r"1, 2, \dots \text{ in the order of } $pvalues",
        r"$sorted_pvalues \leq $thresholds \text{ here or after}",
        r"\mathrm{rank}\,|$d| \text{ without zeros, equal ones numbered from the top}",
        r"\sum_{$d < 0} C_i,\ C \text{ the } $ranks \text{ and the zeros sorted}",
        r"1 + \#\{\text{different sizes below } |d_i|\} \text{ of } $d",
        r"1 + \#\{\text{different } x_l < $sizes\}",
    ),
    "another test on what the families have on the mean, told by its name; values_of_mistakes.json has its numbers by other code": (
        r"\text{standard error of the means of } $d \text{ for each } $clusters",
        r"\text{t of the means of } $d \text{ for each } $clusters",
    ),
    "verdicts on all stored seeds, told by three words; test_fold_hacking.py and test_mistakes.py count them": (
        r"\min\{s : $mine \leq -$critical_value\},\ \min\{s : $mine \geq "
        r"$critical_value\},\ \min\{s : |$mine| < $critical_value\}, s \geq $first",
        r"\min\{i : $mine \geq $critical_value\},\ \min\{i : $mine \leq "
        r"-$critical_value\},\ \min\{i : |$mine| < $critical_value\},\ i = 0, 1, \ldots",
        r"\mathrm{argmax}\,$mine,\ \mathrm{argmin}\,$mine,\ \mathrm{argmin}\,|$mine|,\ s \geq $first",
        r"\min\{s : $mine > 0\},\ \min\{s : $mine < 0\},\ \min\{s : |$mine| < $critical_value\},\ s \geq $first",
        r"\text{verdicts of } \frac{\sqrt{10}\,\bar d_r}{s_r} \text{ on the ten } $half_d \text{ with } t_9,\ \alpha = $alpha",
        r"\text{verdicts of } \frac{(|n_{01} - n_{10}| - 1)^2}{n_{01} + n_{10}} \text{ on the sum of the ten } $tables,\ \alpha = $alpha",
        r"\frac{1}{$seeds} \#\{s : \text{verdict } e \text{ by } T'_s = \frac{$mine}{\sqrt{1 + "
        r"$n \cdot $test_train_ratio}} \text{ and } $critical_value\}",
        r"\frac{1}{$halvings} \#\{r : \text{verdict } e \text{ by } F_r \text{ of } $half_d \text{ at the level } $alpha\}",
        r"\frac{1}{$halvings} \#\{r : \text{verdict } e \text{ by } M_r \text{ of the } $tables \text{ at the level } $alpha\}",
    ),
    "runs in order, cut and resampled within tasks; test_runs.py and test_stochastic_order.py do it by plain loops and by all resamples": (
        r"\text{mean of the middle half of } $a",
        r"\text{mean of the middle half of } $b",
        r"\mathrm{sorted}\;$scores",
        r"\frac{1}{$n - 2\,$cut} \sum_{k = $cut + 1}^{$n - $cut} $ordered",
        r"\text{of $draws resamples within tasks of } $scores <- $cut $rng",
        r"\text{of $draws resamples within tasks of } $scores \text{ and } $target <- $rng",
        r"\text{of $draws resamples within tasks of } $a \text{ and of } $b <- $rng",
        r"\text{of $draws resamples of } $a \text{ and of } $b <- $rng",
        r"\max_\pm \frac{1}{2}\,|q_{p + h} - q_{p - h}|,\ q \text{ of } $resampled,\ p = $alpha / 2 \text{ or } 1 - $alpha / 2,\ "
        r"h = \sqrt{\frac{p (1 - p)}{$draws}}",
        r"[\min\{x : P($resampled_gap \leq x) \geq $alpha / 2\},\ \max\{x : P($resampled_gap \geq x) \geq $alpha / 2\}]",
        r"\frac{1}{$n_tasks\,$n_seeds} \sum_i \mathrm{Binomial}($n_seeds,\ $above_shares)",
        r"\min\{x : P($resampled \leq x) \geq $alpha / 2\}",
        r"\max\{x : P($resampled \geq x) \geq $alpha / 2\}",
        r"u_k - u_{k - 1},\ u = \mathrm{sorted}\;\{\frac{i}{$n_a}\} \cup \{\frac{j}{$n_b}\}",
        r"a_{(\lceil $n_a u_k \rceil)} - b_{(\lceil $n_b u_k \rceil)} \text{ of } $a \text{ and } $b",
        r"\mathrm{sd}\;$resampled",
        r"z_{1 - $alpha}\,\sigma^* \sqrt{\frac{\kappa - 1}{4\,$draws}},\ \kappa \text{ the kurtosis of } $resampled",
    ),
}
# where 0 is divided by 0
UNDEFINED = {
    r"\frac{\sum_k $weights \min\{$d, 0\}^2}{\sum_k $weights\,$d^2}": "no run differs: half of the violation is on either side",
    r"\frac{$se^4}{\frac{$sd_x^4}{$n_x^2 ($n_x - 1)} + "
    r"\frac{$sd_y^4}{$n_y^2 ($n_y - 1)}}": "n_x + n_y - 2 degrees of freedom, those of equal variances",
    r"\frac{$se^4}{\frac{($e / $n)^2}{$n\,$e} + "
    r"\frac{($correction\,$repetition_sd^2)^2}{4}}": "no discordant record: 4, those of the repetitions",
    r"\frac{$n10}{$n01}": "no discordant record: the odds are 1, as if both had one",
    r"\frac{\left(\sum_m $eigenvalues\right)^2}{($k - 1) \sum_m $eigenvalues^2}": "no spread in any direction is the same spread in all",
    r"\prod_m \frac{$eigenvalues}{\bar\lambda},\ \bar\lambda = "
    r"\frac{1}{$k - 1} \sum_m $eigenvalues \quad ($n \geq $k)": "no spread in any direction is the same spread in all",
    r"\frac{$n01}{$n01 + $n10}": "no discordant record: half of them for either side",
    r"\frac{2 \sum_{jk} ($imbalance - $imbalance_of_repetition)^2}"
    r"{\sum_{jk} ($n01_of_fold + $n10_of_fold)}": "no discordant record: nothing scatters",
    r"\frac{\#\{k : $imbalance\} \sum_k ($imbalance - $mean_imbalance)^2}"
    r"{(\#\{k : $imbalance\} - 1) \sum_k $n}": "no discordant record: nothing scatters",
    r"\frac{$beta_a - 1}{$beta_a + $beta_b - 2}": "a flat or U-shaped density has no one mode",
}
